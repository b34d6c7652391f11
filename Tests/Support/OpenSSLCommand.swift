// SPDX-License-Identifier: MIT

import Foundation

/// The openssl command as a second opinion, in a folder of its own.
public enum OpenSSLCommand {
    /// Where it is; nil when it is not installed.
    public static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What a run came to.
    public struct Result {
        /// The exit status.
        public let status: Int32
        /// Standard output.
        public let bytes: [UInt8]

        /// Whether the status is 0.
        public var succeeded: Bool { status == 0 }
        /// Standard output as text.
        public var output: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Runs it.
    ///
    /// - Parameters:
    ///   - arguments: The words behind `openssl`.
    ///   - files: Files of the folder, by the name under which the words mean them.
    /// - Returns: What it came to, whatever the status.
    /// - Throws: When openssl is not there or a file cannot be written.
    public static func run(_ arguments: [String], _ files: [String: [UInt8]] = [:]) throws -> Result {
        guard let path else { throw CocoaError(.fileNoSuchFile) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, bytes: Array(output))
    }

    /// Whether it accepts a signature.
    ///
    /// - Parameters:
    ///   - signature: In DER for ECDSA, 64 bytes for Ed25519.
    ///   - input: A digest for ECDSA; the message with `isRaw`.
    ///   - isRaw: Whether the signature is of the message itself.
    ///   - spki: The public key as SubjectPublicKeyInfo.
    /// - Returns: Whether the status was 0.
    /// - Throws: When openssl is not there or a file cannot be written.
    public static func verifies(
        _ signature: [UInt8],
        of input: [UInt8],
        isRaw: Bool = false,
        spki: [UInt8]
    ) throws -> Bool {
        let words = [
            "pkeyutl", "-verify", "-pubin", "-inkey", "key", "-keyform", "DER", "-sigfile", "signature",
            "-in", "input",
        ]
        return try run(
            words + (isRaw ? ["-rawin"] : []),
            ["key": spki, "signature": signature, "input": input]
        ).succeeded
    }
}
