// SPDX-License-Identifier: MIT

import CommandLineKit
import Foundation
import Testing

@Suite("Manual page")
struct ManualPageTests {
    private static let page = ManualPage(
        table: Demo.table,
        sections: [
            ManualPage.Section(
                "EXIT STATUS",
                rows: [("0", "All held."), ("130, 143", "Ended by a signal.")]
            ),
            ManualPage.Section("SEE ALSO", text: "pcscd(8)"),
        ]
    )

    @Test("is that of the fixtures")
    func text() throws {
        #expect(try Demo.isRecorded(Self.page.text, as: "demo.1"))
    }

    @Test("no line of text begins as a request, and backslashes stay")
    func escapes() {
        let lines = Self.page.text.split(separator: "\n")
        #expect(lines.contains("\\&.A dot at the beginning of a line is no request."))
        #expect(lines.contains { $0.contains("C:\\epaths") })
    }

    @Test("groff finds nothing to complain about")
    func groff() throws {
        let path =
            ["/usr/bin/groff", "/usr/local/bin/groff"].first(where: FileManager.default.isExecutableFile)
            ?? "/bin/cat"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).1")
        try Self.page.text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = path == "/bin/cat" ? [file.path] : ["-Tutf8", "-man", "-wall", file.path]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let shown = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(complaints.isEmpty)
        #expect(shown.contains("pcscd(8)"))
    }
}
