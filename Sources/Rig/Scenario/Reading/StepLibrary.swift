// SPDX-License-Identifier: MIT

/// Where the steps of a `use` come from.
protocol StepLibrary: AnyObject {
    /// The steps of a name, or nil after a mistake has been noted.
    func find(_ name: String, usedAt position: SourcePosition, words: VerbWords, in context: ReadingContext)
        -> LibrarySteps?
}

/// Steps of a library, read for a target.
struct LibrarySteps {
    /// The names that a call gives values to.
    let arguments: [String]
    /// The steps.
    let steps: [Step]
    /// Names that the steps use and that the caller must know.
    let openReferences: [(name: String, position: SourcePosition)]
    /// Number of steps, those of other libraries included.
    let stepCount: Int
    /// What the steps ask of the names that the caller gives.
    let guards: [GuardClaim]
}

/// A step with `allow: guard`, and the names of which one must be a secret.
struct GuardClaim {
    /// The names that the step uses.
    let names: Set<String>
    /// Where the permission stands.
    let position: SourcePosition
}
