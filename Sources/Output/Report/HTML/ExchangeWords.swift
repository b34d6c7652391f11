// SPDX-License-Identifier: MIT

import SmartCard

/// What people are told about an exchange besides its bytes.
///
/// Reports know the standard only; who knows the devices gives better words.
public struct ExchangeWords: Sendable {
    /// The meaning of a status word after a command; empty says nothing.
    public var meaning: @Sendable (_ target: String, _ command: [UInt8], _ word: UInt16) -> String
    /// Lines on the data of an answer; none says nothing.
    public var answer: @Sendable (_ target: String, _ command: [UInt8], _ data: [UInt8]) -> [String]
    /// Lines on the data of a command; none says nothing.
    public var command: @Sendable (_ target: String, _ command: [UInt8]) -> [String]
    /// The device's own name of a command, from its bytes or their beginning; nil leaves it to the standard.
    public var name: @Sendable (_ target: String, _ command: [UInt8]) -> String?

    /// Makes words.
    public init(
        meaning: @escaping @Sendable (_ target: String, _ command: [UInt8], _ word: UInt16) -> String,
        answer: @escaping @Sendable (_ target: String, _ command: [UInt8], _ data: [UInt8]) -> [String],
        command: @escaping @Sendable (_ target: String, _ command: [UInt8]) -> [String],
        name: @escaping @Sendable (_ target: String, _ command: [UInt8]) -> String? = { _, _ in nil }
    ) {
        self.meaning = meaning
        self.answer = answer
        self.command = command
        self.name = name
    }

    /// The words of the standard: meanings of ISO/IEC 7816-4, trees of data objects, plain text.
    public static let standard = ExchangeWords(
        meaning: { StatusWord(rawValue: $2).meaning },
        answer: { dataLines($2) },
        command: { _, _ in [] }
    )

    /// A tree where the data is made of objects, the text where it is text, else nothing.
    public static func dataLines(_ data: [UInt8]) -> [String] {
        // Strict, and more than one plain object: bytes of a file look like an object easily.
        if data.count > 2, let objects = try? TLV.parse(data),
            objects.count > 1 || objects.contains(where: { $0.tag.isConstructed })
        {
            return TLV.tree(objects).split(separator: "\n").map(String.init)
        }
        guard data.count >= 4, data.allSatisfy({ (0x20...0x7E).contains($0) }) else { return [] }
        return ["\"\(String(decoding: data, as: UTF8.self))\""]
    }
}
