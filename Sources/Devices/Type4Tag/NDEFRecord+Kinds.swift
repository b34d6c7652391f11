// SPDX-License-Identifier: MIT

extension NDEFRecord {
    /// Makes a record of somebody's own type.
    ///
    /// Source: NFC Forum Record Type Definition 1.0 §3.4.
    /// - Parameters:
    ///   - name: The type's name with its domain, for example `example.com:thing`.
    ///   - id: The id; nil for none.
    ///   - payload: The content.
    /// - Returns: The record.
    /// - Throws: ``NDEFError`` when a field is too long.
    public static func external(
        _ name: String,
        id: [UInt8]? = nil,
        payload: [UInt8]
    ) throws(NDEFError) -> NDEFRecord {
        try NDEFRecord(format: .external, type: Array(name.utf8), id: id, payload: payload)
    }

    /// Makes a record of a media type.
    ///
    /// Source: NFC Forum NDEF Technical Specification 1.0 §3.2.6.
    /// - Parameters:
    ///   - type: The media type, for example `text/plain`.
    ///   - id: The id; nil for none.
    ///   - payload: The content.
    /// - Returns: The record.
    /// - Throws: ``NDEFError`` when a field is too long.
    public static func media(
        _ type: String,
        id: [UInt8]? = nil,
        payload: [UInt8]
    ) throws(NDEFError) -> NDEFRecord {
        try NDEFRecord(format: .media, type: Array(type.utf8), id: id, payload: payload)
    }
}
