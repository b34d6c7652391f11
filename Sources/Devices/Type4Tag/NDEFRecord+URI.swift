// SPDX-License-Identifier: MIT

extension NDEFRecord {
    /// Makes a URI record; the longest known prefix is replaced by its code.
    ///
    /// Source: NFC Forum URI Record Type Definition 1.0 §3.2.
    /// - Parameter text: The URI.
    /// - Returns: The record.
    /// - Throws: ``NDEFError`` when the URI is longer than a payload can be.
    public static func uri(_ text: String) throws(NDEFError) -> NDEFRecord {
        let matching = uriPrefixes.enumerated().filter { text.hasPrefix($0.element) }
        let best = matching.max { $0.element.utf8.count < $1.element.utf8.count }
        let code = UInt8(truncatingIfNeeded: best?.offset ?? 0)
        let rest = text.utf8.dropFirst(best?.element.utf8.count ?? 0)
        return try NDEFRecord(format: .wellKnown, type: Array("U".utf8), payload: [code] + Array(rest))
    }

    /// The URI of a URI record, or of a record whose type is a URI; nil when this is neither, or no UTF-8.
    ///
    /// Reserved prefix codes stand for no prefix.
    public var uri: String? {
        if format == .absoluteURI { return String(validating: type, as: UTF8.self) }
        guard format == .wellKnown, type == Array("U".utf8), let code = payload.first else { return nil }
        let prefix = Int(code) < Self.uriPrefixes.count ? Self.uriPrefixes[Int(code)] : ""
        return String(validating: payload.dropFirst(), as: UTF8.self).map { prefix + $0 }
    }

    /// Prefixes by their code, `00` to `23`.
    private static let uriPrefixes = [
        "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:",
        "ftp://anonymous:anonymous@", "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://", "ftp://",
        "dav://",
        "news:", "telnet://", "imap:", "rtsp://", "urn:", "pop:", "sip:", "sips:", "tftp:", "btspp://",
        "btl2cap://", "btgoep://", "tcpobex://", "irdaobex://", "file://", "urn:epc:id:", "urn:epc:tag:",
        "urn:epc:pat:", "urn:epc:raw:", "urn:epc:", "urn:nfc:",
    ]
}
