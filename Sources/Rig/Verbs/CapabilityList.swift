// SPDX-License-Identifier: MIT

/// The closed list of capabilities that `needs` may name.
public enum CapabilityList {
    /// A capability and what it means.
    public struct Entry: Sendable {
        /// The word.
        public let word: String
        /// What it means, in one line.
        public let summary: String
    }

    /// All capabilities, sorted by word; `firmware>=VERSION` and its kin come besides.
    public static let all: [Entry] = [
        Entry(word: "cryptogram.check", summary: "payment cryptograms can be verified"),
        Entry(word: "extended-length", summary: "extended length fields reach the card, and it takes them"),
        Entry(word: "field.control", summary: "the reader's field can be switched off and on"),
        Entry(word: "field.cut", summary: "the field can be cut in the middle of an exchange"),
        Entry(word: "field.unpower", summary: "the card can be unpowered when the connection ends"),
        Entry(word: "kit.button", summary: "the kit's button can be pressed"),
        Entry(word: "kit.led", summary: "the kit's LED can be seen"),
        Entry(word: "kit.reset", summary: "the kit's micro-controller can be reset"),
        Entry(word: "kit.uart", summary: "the kit's log lines can be read"),
        Entry(word: "operator", summary: "somebody, or a program, can be asked to do something"),
        Entry(
            word: "security-delay",
            summary:
                "a wallet card waits as long as it says, which an emulated one with delay-scale does not"
        ),
        Entry(word: "time-extension", summary: "the reader lets a card ask for more time"),
        Entry(word: "wallet.purge", summary: "wallets of the card can be purged"),
    ]

    /// The words alone.
    public static var words: [String] { all.map(\.word) }
}
