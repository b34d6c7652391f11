// SPDX-License-Identifier: MIT

/// Everything that a scenario may name: verbs, capabilities, faults, devices and their options.
public struct Vocabulary: Sendable {
    /// The verbs, by their full name.
    public let verbs: [String: VerbSpec]
    /// The targets, with their dictionaries.
    public let dictionaries: [String: DeviceDictionary]
    /// The capabilities that `needs` may name; `firmware` comparisons come besides.
    public let capabilities: [String]
    /// The fault words that `expect` may name.
    public let faults: [String]
    /// The error types that `retry.on` may name, for example `LinkLost`.
    public let errorTypes: [String]
    /// The error types that no attempt is tried again after: they are not the attempt's own, or would only come again.
    public let finalErrorTypes: [String]
    /// The options of each target's emulator, with a check of a value that returns what is wrong with it.
    public let emulatorOptions: [String: [String: @Sendable (String) -> String?]]
    /// Of those, the options whose values are paths of files, relative to the scenario.
    public let fileOptions: [String: Set<String>]
    /// Kinds of faults that the emulators of each target know besides those of the language.
    public let deviceFaults: [String: [String]]

    /// Makes a vocabulary.
    public init(
        verbs: [VerbSpec],
        dictionaries: [DeviceDictionary],
        capabilities: [String],
        faults: [String],
        errorTypes: [String],
        finalErrorTypes: [String] = [],
        emulatorOptions: [String: [String: @Sendable (String) -> String?]],
        fileOptions: [String: Set<String>] = [:],
        deviceFaults: [String: [String]] = [:]
    ) {
        self.verbs = Dictionary(verbs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.dictionaries = Dictionary(
            dictionaries.map { ($0.target, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.capabilities = capabilities
        self.faults = faults
        self.errorTypes = errorTypes
        self.finalErrorTypes = finalErrorTypes
        self.emulatorOptions = emulatorOptions
        self.fileOptions = fileOptions
        self.deviceFaults = deviceFaults
    }
}
