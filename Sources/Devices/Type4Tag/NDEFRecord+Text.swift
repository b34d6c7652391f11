// SPDX-License-Identifier: MIT

extension NDEFRecord {
    /// A text with its language.
    public struct Text: Hashable, Sendable {
        /// The text.
        public let text: String
        /// Language tag, for example `en` or `de-AT`.
        public let language: String
    }

    /// Makes a text record in UTF-8.
    ///
    /// Source: NFC Forum Text Record Type Definition 1.0 §3.2.
    /// - Parameters:
    ///   - text: The text.
    ///   - language: Language tag of at most 63 ASCII characters.
    /// - Returns: The record.
    /// - Throws: ``NDEFError`` when a field is too long.
    public static func text(_ text: String, language: String = "en") throws(NDEFError) -> NDEFRecord {
        let tag = Array(language.utf8)
        guard tag.count <= Self.languageLengthMask else {
            throw .fieldTooLong("language", count: tag.count)
        }
        let status = UInt8(truncatingIfNeeded: tag.count)
        return try NDEFRecord(
            format: .wellKnown,
            type: Array("T".utf8),
            payload: [status] + tag + Array(text.utf8)
        )
    }

    /// The text of a text record; nil when this is none, or its bytes are no text.
    public var text: Text? {
        guard format == .wellKnown, type == Array("T".utf8), let status = payload.first else { return nil }
        let languageLength = Int(status) & Self.languageLengthMask
        guard payload.count > languageLength else { return nil }
        let language = payload[1..<1 + languageLength]
        let content = payload[(1 + languageLength)...]
        guard let tag = String(validating: language, as: UTF8.self),
            let text = status & Self.utf16Flag == 0
                ? String(validating: content, as: UTF8.self) : Self.utf16(Array(content))
        else { return nil }
        return Text(text: text, language: tag)
    }

    /// Reads UTF-16: big-endian, unless a byte order mark says otherwise.
    private static func utf16(_ bytes: [UInt8]) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var units = stride(from: 0, to: bytes.count, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        if units.first == 0xFFFE { units = units.map(\.byteSwapped) }
        if units.first == 0xFEFF { units.removeFirst() }
        return String(validating: units, as: UTF16.self)
    }

    private static let languageLengthMask = 0x3F
    private static let utf16Flag: UInt8 = 0x80
}
