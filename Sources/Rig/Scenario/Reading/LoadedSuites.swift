// SPDX-License-Identifier: MIT

/// What came of reading scenario files.
public struct LoadedSuites: Sendable {
    /// A scenario that cannot run.
    public struct BrokenSuite: Hashable, Sendable {
        /// The file as it is shown to people.
        public let file: String
        /// The suite's name, or the file's where it has none.
        public let suiteName: String
        /// What is wrong, libraries included.
        public let mistakes: [ScenarioMistake]
        /// What to do about it.
        public let advice: String
        /// The file as the user named it, or as it was found below a folder that the user named.
        public var givenPath: String

        /// Makes a broken suite; without advice it is what the file says that is wrong.
        public init(file: String, suiteName: String, mistakes: [ScenarioMistake], advice: String? = nil) {
            self.file = file
            givenPath = file
            self.suiteName = suiteName
            self.mistakes = mistakes
            self.advice = advice ?? "see all mistakes with: taprig lint \(file)"
        }
    }

    /// The suites without a mistake, in the order of the files.
    public var suites: [Suite] = []
    /// The files that cannot run, in their order.
    public var broken: [BrokenSuite] = []
    /// All mistakes, each once, in the order of files and lines.
    public var mistakes: [ScenarioMistake] = []

    /// What was left out of scripts of other tools, each with its place.
    public var notes: [String] = []
    /// The files that were named and hold steps for others, not cases.
    public var libraries: [String] = []

    /// Makes an empty result.
    public init() {}
}
