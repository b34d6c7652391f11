// SPDX-License-Identifier: MIT

import Cryptography
import Testing

/// Messages and digests of the examples to FIPS 180-4 and of the NIST CAVP byte-oriented short messages.
@Suite("SHA-256")
struct SHA256Tests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(
        "known messages have their known digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ]
    )
    func messages(_ message: String, _ digest: String) {
        #expect(hex(SHA256.digest(Array(message.utf8))) == digest)
    }

    @Test(
        "bytes that are no text have their known digests",
        arguments: [
            ([0xD3], "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
            ([0x11, 0xAF], "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
            ([0xB4, 0x19, 0x0E], "dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2"),
        ] as [([UInt8], String)]
    )
    func bytes(_ message: [UInt8], _ digest: String) {
        #expect(hex(SHA256.digest(message)) == digest)
    }

    @Test("a million times the letter a")
    func longMessage() {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            hex(SHA256.digest(message)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }
}
