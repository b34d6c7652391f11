// SPDX-License-Identifier: MIT

import CommandLineKit
import Foundation

/// A shell with the demo program on its path and a completion script to load.
final class ShellRun {
    private let folder: URL
    let script: String

    init(shell: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("taprig-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("files/sub folder"),
            withIntermediateDirectories: true
        )
        let program = folder.appendingPathComponent("demo")
        try Demo.program.write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        script = folder.appendingPathComponent("completion.\(shell)").path
        try (Demo.plan.script(for: shell) ?? "").write(toFile: script, atomically: true, encoding: .utf8)
        try "".write(
            to: folder.appendingPathComponent("files/select.txt"),
            atomically: true,
            encoding: .utf8
        )
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Where a shell is installed; nil when it is not.
    static func path(_ shell: String) -> String? {
        ["/usr/bin/\(shell)", "/bin/\(shell)", "/usr/local/bin/\(shell)"]
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Runs a program in the folder with files; gives the lines of standard output, and complains with standard error.
    func lines(_ program: String, _ arguments: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder.appendingPathComponent("files")
        process.environment = [
            "PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
        ]
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
