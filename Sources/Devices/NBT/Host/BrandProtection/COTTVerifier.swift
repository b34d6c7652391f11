// SPDX-License-Identifier: MIT

/// What a server says to a one-time token; the raw value is the HTTP status of the vendor's server example.
public enum COTTVerdict: Int, Hashable, Sendable, CaseIterable {
    /// The token is genuine and was not seen before.
    case accepted = 200
    /// There is no token, or it is none.
    case malformed = 400
    /// The code is not one of the chip's key.
    case wrongCode = 403
    /// No key is known for the UID.
    case unknownChip = 404
    /// The token was seen before.
    case used = 429

    /// The verdict in one word, as scenarios name it.
    public var word: String {
        switch self {
        case .accepted: "accepted"
        case .malformed: "malformedToken"
        case .wrongCode: "wrongCode"
        case .unknownChip: "unknownChip"
        case .used: "usedToken"
        }
    }

    /// What is wrong, in one sentence.
    public var text: String {
        switch self {
        case .accepted: "the token is genuine and fresh"
        case .malformed: "there is no token of 44 characters of URL-safe base64 with the header 0001"
        case .wrongCode: "the token's code is not one of the chip's key"
        case .unknownChip: "no key is known for the token's UID"
        case .used: "the token was seen before"
        }
    }
}

/// The server's side of the one-time token, with the order of checks of the vendor's example: form, UID, freshness, code.
///
/// A token counts as seen when it was accepted, so that nobody can burn a token without knowing it.
/// Source: the vendor's public server example (MIT).
public struct COTTVerifier: Sendable {
    private let key: @Sendable ([UInt8]) -> [UInt8]?
    /// The tokens that were accepted; a server keeps them.
    public var seen: Set<COTTToken> = []

    /// Makes a verifier that has seen nothing.
    ///
    /// - Parameter key: Gives the key of 16 bytes for a UID of 7; nil when the chip is not known.
    public init(key: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        self.key = key
    }

    /// Makes a verifier with a table of keys by UID.
    public init(keys: [[UInt8]: [UInt8]]) {
        self.init { keys[$0] }
    }

    /// Judges a token, and remembers it when it is accepted.
    ///
    /// - Parameter text: The token's characters; nil when the link has none.
    /// - Returns: The verdict.
    public mutating func judge(_ text: String?) -> COTTVerdict {
        guard let token = text.flatMap(COTTToken.init(text:)) else { return .malformed }
        guard let key = key(token.uid) else { return .unknownChip }
        guard !seen.contains(token) else { return .used }
        guard token.isGenuine(key: key) else { return .wrongCode }
        seen.insert(token)
        return .accepted
    }
}
