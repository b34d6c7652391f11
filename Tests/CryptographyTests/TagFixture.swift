// SPDX-License-Identifier: MIT

import Testing

/// What `nfc-tag.json` holds.
struct TagFixture: Decodable, Sendable {
    struct Certificate: Decodable, Sendable, CustomTestStringConvertible {
        let id, der, sha256, key: String
        let subject_cn: String?
        let signed_by: String?
        var testDescription: String { id }
    }

    struct Offline: Decodable, Sendable {
        let sample_private_key, public_key: String
        let vectors: [Signature]
    }

    struct Signature: Decodable, Sendable {
        let challenge, signature: String
    }

    struct Token: Decodable, Sendable {
        let key, header, uid, random, mac: String
        let valid: Bool
    }

    let certificates: [Certificate]
    let offline_signature: Offline
    let cott: [Token]

    static func load() throws -> TagFixture {
        try Fixture.decode(TagFixture.self, "nfc-tag.json")
    }
}
