// SPDX-License-Identifier: MIT

import Cryptography
import NBTConstants
public import Type4Tag

/// A cryptographic one-time token, as the chip puts it into the link of its NDEF message.
///
/// Header, UID, random bytes and an AES-CMAC over these, 33 bytes or 44 characters.
/// Source: the vendor's public server example (MIT).
public struct COTTToken: Hashable, Sendable {
    /// The chip's UID, 7 bytes.
    public let uid: [UInt8]
    /// The random part, 8 bytes.
    public let random: [UInt8]
    /// The code over all of these, 16 bytes.
    public let mac: [UInt8]

    /// Takes a token of 33 bytes with the header `0001` apart; nil for anything else.
    public init?(bytes: [UInt8]) {
        let uidEnd = COTTLayout.header.count + COTTLayout.uidSize
        let randomEnd = uidEnd + COTTLayout.randomSize
        guard bytes.count == randomEnd + COTTLayout.macSize, bytes.starts(with: COTTLayout.header) else {
            return nil
        }
        uid = Array(bytes[COTTLayout.header.count..<uidEnd])
        random = Array(bytes[uidEnd..<randomEnd])
        mac = Array(bytes[randomEnd...])
    }

    /// Reads a token from its 44 characters; nil when the text is none.
    public init?(text: String) {
        guard text.utf8.count == COTTLayout.textSize, let bytes = Base64URL.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// What the code is made of: all but the code.
    public var signedBytes: [UInt8] { COTTLayout.header + uid + random }

    /// The token's bytes.
    public var bytes: [UInt8] { signedBytes + mac }

    /// The token's characters.
    public var text: String { Base64URL.text(bytes) }

    /// Whether the code is one of a key.
    ///
    /// - Parameter key: The key, 16 bytes; with any other the code is wrong.
    /// - Returns: True when it is.
    public func isGenuine(key: [UInt8]) -> Bool {
        guard key.count == COTTLayout.macSize, let code = try? CMAC.code(of: signedBytes, key: key) else {
            return false
        }
        return code == mac
    }

    /// The characters in a token's place in the first link of a message that has one; nil when there is none.
    ///
    /// They are cut off at 44, and need not be a token: where the chip did not put one in, the placeholder stands there.
    public static func text(in message: NDEFMessage) -> String? {
        for uri in message.records.compactMap(\.uri) {
            guard let place = uri.firstRange(of: COTTLayout.parameter) else { continue }
            return String(uri[place.upperBound...].prefix(COTTLayout.textSize))
        }
        return nil
    }
}
