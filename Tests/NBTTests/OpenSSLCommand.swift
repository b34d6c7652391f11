// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The openssl command as a second opinion.
enum OpenSSLCommand {
    static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What a run came to.
    struct Result {
        let succeeded: Bool
        let output: String
    }

    /// Runs it in a folder of its own with some files; with `pem` each is there as certificate in PEM too.
    static func run(_ arguments: [String], _ files: [String: [UInt8]], pem: Bool = false) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files {
            try Data(bytes).write(to: folder.appendingPathComponent(name))
            guard pem else { continue }
            let text = Data(bytes).base64EncodedString(options: .lineLength64Characters)
            let lines = "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
            try Data(lines.utf8).write(to: folder.appendingPathComponent("\(name).pem"))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path))
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            succeeded: process.terminationStatus == 0,
            output: String(decoding: output, as: UTF8.self)
        )
    }
}
