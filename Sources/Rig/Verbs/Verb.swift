// SPDX-License-Identifier: MIT

public import Scenario

/// A word that a scenario may use: its description, and what it does.
public struct Verb: Sendable {
    /// Name, arguments, result fields and text of help.
    public let spec: VerbSpec
    /// Does the work: reads arguments from the call, sends commands through it, leaves result fields in it.
    public let run: @Sendable (VerbCall) throws -> Void

    /// Makes a verb.
    public init(_ spec: VerbSpec, run: @escaping @Sendable (VerbCall) throws -> Void) {
        self.spec = spec
        self.run = run
    }
}

/// The verbs of this program, by name.
public struct VerbTable: Sendable {
    private let verbs: [String: Verb]

    /// Makes a table.
    public init(_ verbs: [Verb]) {
        self.verbs = Dictionary(verbs.map { ($0.spec.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// All verbs that ship.
    public static let shipped = VerbTable(
        connectionVerbs + fileVerbs + [sendVerb, checkVerb, delayVerb, logVerb, operatorVerb] + iso7816Verbs
            + kitVerbs + ndefVerbs.giving(errors: ErrorNames.ndef) + nbtVerbs.giving(errors: ErrorNames.nbt)
            + tangemVerbs.giving(errors: ErrorNames.tangem)
    )

    private static var tangemVerbs: [Verb] {
        tangemCardVerbs + tangemWalletVerbs + tangemDataVerbs + tangemFileVerbs + tangemBackupVerbs
            + tangemRecoveryVerbs
    }

    /// The verb of a name, or nil.
    public subscript(name: String) -> Verb? { verbs[name] }

    /// The descriptions, sorted by name.
    public var specs: [VerbSpec] {
        verbs.values.map(\.spec).sorted { $0.name < $1.name }
    }
}
