// SPDX-License-Identifier: MIT

/// What a page needs to know besides the record of the run.
public struct HTMLOptions: Sendable {
    /// The run folder, to read the traces from; nil makes the page from the record alone.
    public var runFolder: String?
    /// The run folder as seen from the page, for links to traces; empty for the same folder, nil writes no links.
    public var linkPrefix: String?
    /// What people are told about exchanges.
    public var words: ExchangeWords
    /// The most bytes of all cases that passed.
    public var passingBudget = 4_500_000
    /// The most bytes of all cases that did not pass.
    public var troubledBudget = 2_500_000
    /// The most bytes of traces that are read for the page, for each of the two.
    ///
    /// A longer trace is linked, not retold: reading one of a million exchanges takes longer than the run did.
    public var traceBudget = 16 << 20

    /// Makes options.
    public init(
        runFolder: String? = nil,
        linkPrefix: String? = nil,
        words: ExchangeWords = .standard
    ) {
        self.runFolder = runFolder
        self.linkPrefix = linkPrefix
        self.words = words
    }
}
