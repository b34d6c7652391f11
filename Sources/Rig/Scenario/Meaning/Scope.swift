// SPDX-License-Identifier: MIT

import Wording

/// The variables that a step can see, by name.
///
/// It belongs to one worker thread: captures change it while a case runs.
public final class Scope {
    /// The scope around this one; what is not found here is looked up there.
    public let parent: Scope?
    /// The names of the suite's target.
    public let dictionary: DeviceDictionary?
    /// Names whose values are secret, here and around.
    public private(set) var secretNames: Set<String>
    private var values: [String: Value] = [:]
    private var missing: [String: ScenarioMistake] = [:]
    private let environment: [String: String]

    /// Makes a scope of a case.
    ///
    /// - Parameters:
    ///   - dictionary: The names of the suite's target.
    ///   - environment: Variables of the host; `RIG_VAR_NAME` stands behind all other values of `name`.
    public init(dictionary: DeviceDictionary? = nil, environment: [String: String] = [:]) {
        parent = nil
        self.dictionary = dictionary
        self.environment = environment
        secretNames = []
    }

    /// Makes a scope inside another one: its captures are seen only here.
    public init(parent: Scope) {
        self.parent = parent
        dictionary = parent.dictionary
        environment = [:]
        secretNames = parent.secretNames
    }

    /// The value of a name here or around, or nil.
    public subscript(name: String) -> Value? {
        if let value = values[name] { return value }
        if let parent { return parent[name] }
        guard !environment.isEmpty else { return nil }
        return VariableResolver.environmentValue(of: name, in: environment).map(Value.text)
    }

    /// Gives a name a value here.
    public func define(_ name: String, _ value: Value, isSecret: Bool = false) {
        values[name] = value
        missing[name] = nil
        // A value that is public hides the secret of that name around it.
        if isSecret { secretNames.insert(name) } else { secretNames.remove(name) }
    }

    /// Notes why a name has no value; it is told when somebody asks for it.
    func defineMissing(_ name: String, _ mistake: ScenarioMistake) {
        missing[name] = mistake
    }

    /// The value of a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - position: Where it is asked for.
    /// - Returns: The value, from here or around.
    /// - Throws: ``ScenarioMistake`` when it has none, with the reason.
    public func value(of name: String, at position: SourcePosition) throws(ScenarioMistake) -> Value {
        if let mistake = mistake(of: name) { throw mistake }
        if let value = self[name] { return value }
        throw ScenarioMistake(
            position,
            "the variable '\(name)' has no value yet",
            hint: Suggestion.nearest(to: name, among: names)
        )
    }

    /// The values of all secret names, for masks.
    public var secretValues: [Value] { secretNames.sorted().compactMap { self[$0] } }

    /// All names that have a value, sorted.
    public var names: [String] {
        Set(values.keys).union(parent?.names ?? []).sorted()
    }

    private func mistake(of name: String) -> ScenarioMistake? {
        missing[name] ?? (values[name] == nil ? parent?.mistake(of: name) : nil)
    }
}
