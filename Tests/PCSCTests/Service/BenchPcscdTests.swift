// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import Testing
import VirtualReader

extension ServicePcscdTests {
    @Suite("A bench check")
    struct BenchPcscdTests {
        private let text = """
            bench: 1
            roles:
              card:
                reader: {pattern: Virtual PCD 00 00}
                field: unpower
                firmware: {command: 80100002, expect: A5A5}
            """

        /// Runs `taprig bench check --json` on a bench file.
        private func check(_ text: String) throws -> (status: Int32, output: JSON) {
            let file = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID()).yaml")
            try Data(text.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let process = Process()
            process.executableURL = Bundle.module.bundleURL.deletingLastPathComponent().appending(
                path: "taprig"
            )
            process.arguments = ["bench", "check", "--json", file.path]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, try JSON(parsing: Array(output)))
        }

        private func told(_ output: JSON) -> [String] {
            (output["findings"]?.array ?? []).map { finding in
                "\(finding["entry"]?.string ?? "") \(finding["verdict"]?.string ?? "")"
            }
        }

        @Test("proves reader, card, field and firmware through the real service")
        func holds() throws {
            let bench = Bench()
            bench.client.waitUntilConnected(timeout: .seconds(5))
            eventually(.seconds(5)) { bench.card.snapshot.powerOnCount > 0 }
            let (status, output) = try check(text)
            #expect(
                told(output) == [
                    "roles.card.reader proved", "roles.card.card proved", "roles.card.field proved",
                    "roles.card.firmware proved", "roles.card.sample unproved",
                ]
            )
            #expect(status == 0)
            #expect(output["verdict"]?.string == "ok")
        }

        @Test("ends with 3 when the card is another one, when there is none, and when the reader is missing")
        func failures() throws {
            let empty = try check(text)
            #expect(empty.status == 3)
            #expect(told(empty.output) == ["roles.card.reader proved", "roles.card.card failed"])
            let bench = Bench()
            eventually(.seconds(5)) { bench.card.snapshot.powerOnCount > 0 }
            let other = try check(text.replacing("A5A5", with: "0001"))
            #expect(other.status == 3)
            #expect(told(other.output).contains("roles.card.firmware failed"))
            let missing = try check(text.replacing("Virtual PCD 00 00", with: "Omnikey"))
            #expect(missing.status == 3)
            #expect(told(missing.output) == ["roles.card.reader failed"])
        }

        @Test("ends with 2 and the mistakes when the file is wrong")
        func mistakes() throws {
            let (status, output) = try check(text.replacing("unpower", with: "unpowr"))
            #expect(status == 2)
            let mistake = output["mistakes"]?.array?.first
            #expect(mistake?["line"]?.integer == 5)
            #expect(mistake?["hint"]?.string == "unpower")
        }
    }
}
