// SPDX-License-Identifier: MIT

import Cryptography
import Foundation
import Testing

/// The openssl command as a second opinion.
enum OpenSSL {
    static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Standard output and exit status; files are given by name and written to a folder of their own.
    static func run(_ arguments: [String], files: [String: [UInt8]] = [:]) throws -> (
        output: [UInt8], status: Int32
    ) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "openssl-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return (bytes, process.terminationStatus)
    }
}

@Suite("Against the openssl command", .enabled(if: OpenSSL.path != nil, "install openssl"))
struct CommandLineTests {
    private let message = Array("a message that both see".utf8)

    @Test("signatures made here verify there", arguments: Curve.allCases.filter(\.hasECDSA))
    func signatures(_ curve: Curve) throws {
        var generator = SeededGenerator(seed: 11)
        let key = try PrivateKey.generate(curve, using: &generator)
        let signature = try ECDSA.sign(message: message, with: key, hash: .sha256)
        let files = ["key": key.publicKey.spki, "signature": signature.der, "message": message]
        let arguments = [
            "dgst", "-sha256", "-verify", "key", "-keyform", "DER", "-signature", "signature", "message",
        ]
        #expect(try OpenSSL.run(arguments, files: files).status == 0)
        #expect(try OpenSSL.run(arguments, files: files.merging(["message": [1]]) { $1 }).status != 0)
    }

    @Test(
        "keys and signatures made there are read here",
        arguments: ["prime256v1", "secp384r1", "secp256k1", "brainpoolP512r1"]
    )
    func foreign(_ name: String) throws {
        let pem = try OpenSSL.run(["ecparam", "-name", name, "-genkey", "-noout"]).output
        let spki = try OpenSSL.run(["pkey", "-in", "key", "-pubout", "-outform", "DER"], files: ["key": pem])
            .output
        let text = try OpenSSL.run(["pkey", "-in", "key", "-pubout"], files: ["key": pem]).output
        let signature = try OpenSSL.run(
            ["dgst", "-sha256", "-sign", "key", "message"],
            files: ["key": pem, "message": message]
        ).output
        let key = try PublicKey.read(spki).key
        #expect(key.curve == Curve(name: name))
        #expect(key.spki == spki)
        #expect(try PublicKey.read(text).key == key)
        let read = try ECDSASignature(signature, curve: key.curve)
        #expect(read.der == signature)
        #expect(try ECDSA.verify(read, message: message, key: key))
    }

    @Test("Ed25519 signatures made here verify there")
    func edwards() throws {
        let key = try PrivateKey([UInt8](repeating: 0x42, count: 32), curve: .ed25519)
        let files = [
            "key": key.publicKey.spki, "signature": try Ed25519.sign(message, with: key), "message": message,
        ]
        let arguments = [
            "pkeyutl", "-verify", "-pubin", "-inkey", "key", "-keyform", "DER", "-rawin", "-in", "message",
            "-sigfile", "signature",
        ]
        #expect(try OpenSSL.run(arguments, files: files).status == 0)
    }

    @Test("codes and cipher texts agree")
    func symmetric() throws {
        let key = [UInt8](0..<32)
        let hexKey = text(key)
        let cipherText = try AES(key: key).encrypt(message, mode: .cbcFromZeros, padding: .pkcs7)
        let iv = String(repeating: "0", count: 32)
        let files = ["message": message]
        #expect(
            try OpenSSL.run(["enc", "-aes-256-cbc", "-K", hexKey, "-iv", iv, "-in", "message"], files: files)
                .output
                == cipherText
        )
        let code = try OpenSSL.run(
            [
                "mac", "-cipher", "AES-256-CBC", "-macopt", "hexkey:\(hexKey)", "-in", "message", "-binary",
                "CMAC",
            ],
            files: files
        ).output
        #expect(try CMAC.code(of: message, key: key) == code)
        for hash in HashAlgorithm.allCases where hash != .ripemd160 {
            let digest = try OpenSSL.run(["dgst", "-\(hash.rawValue)", "-binary", "message"], files: files)
                .output
            #expect(try hash.digest(message) == digest)
        }
    }
}
