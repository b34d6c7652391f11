// SPDX-License-Identifier: MIT

import Cryptography
import Foundation
import Testing

/// The openssl command as a second opinion on the card's signatures.
enum OpenSSLCommand {
    static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Whether openssl accepts an ECDSA signature (r and s) of a digest.
    static func verifies(_ signature: [UInt8], digest: [UInt8], key: PublicKey) throws -> Bool {
        let der = try ECDSASignature(raw: signature, curve: key.curve).der
        return try run(["key": key.spki, "signature": der, "digest": digest], ["-in", "digest"])
    }

    /// Whether openssl accepts an Ed25519 signature of a message.
    static func verifies(_ signature: [UInt8], message: [UInt8], key: PublicKey) throws -> Bool {
        try run(["key": key.spki, "signature": signature, "message": message], ["-rawin", "-in", "message"])
    }

    private static func run(_ files: [String: [UInt8]], _ input: [String]) throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.arguments =
            ["pkeyutl", "-verify", "-pubin", "-inkey", "key", "-keyform", "DER", "-sigfile", "signature"]
            + input
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
