// SPDX-License-Identifier: MIT

/// What a word for a value of options means, for example `DURATION`.
public struct ValueNote: Hashable, Sendable {
    /// The word.
    public let value: String
    /// One sentence with an example.
    public let text: String

    /// Explains a word.
    public init(_ value: String, _ text: String) {
        self.value = value
        self.text = text
    }
}
