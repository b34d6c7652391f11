// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import Foundation
import Routes
import Scenario
import Testing

/// The bench file on the page about benches, on the devices that the rig emulates.
@Suite struct BenchPageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The bench files of all pages, each as `page:line` and text.
    private static func files() throws -> [(place: String, text: String)] {
        let folder = root.appendingPathComponent("Documentation").path
        var out: [(place: String, text: String)] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            guard name.hasSuffix(".md") else { continue }
            let lines = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                .components(separatedBy: "\n")
            for (number, line) in lines.enumerated()
            where line.trimmingCharacters(in: .whitespaces) == "bench: 1" {
                let indent = line.prefix { $0 == " " }.count
                let block = lines[number...].prefix { line in
                    line != "```" && (line.isEmpty || line.prefix { $0 == " " }.count >= indent)
                }
                let text = block.map { $0.dropFirst(indent) }.joined(separator: "\n") + "\n"
                out.append(("\(name):\(number + 1)", text))
            }
        }
        return out
    }

    @Test func `Each role's firmware is verified, and a sample's command is answered`() throws {
        var proved = 0
        for (place, text) in try Self.files() {
            let (found, mistakes) = TestBench.read(
                Array(text.utf8),
                file: place,
                folder: "/lab",
                isNamedOnCommandLine: false
            )
            let complaints = mistakes.map(\.description).filter { !$0.contains("/lab/") }
            #expect(complaints == [])
            for role in try #require(found).roles where EmulatorCatalog.targets.contains(role.name) {
                let clock = ModelClock()
                let device = try EmulatorCatalog.make(
                    target: role.name,
                    firmware: nil,
                    options: [:],
                    seed: 1,
                    clock: clock
                )
                func connection() -> InProcessConnection {
                    InProcessConnection(card: device.card, clock: clock)
                }
                if let firmware = role.firmware {
                    let outcome = try firmware.ask(connection())
                    if case .fits = outcome {
                        proved += 1
                    } else {
                        Issue.record("\(place): \(firmware.sentence(about: outcome))")
                    }
                }
                if case .commands(let commands)? = role.sample {
                    let card = connection()
                    for command in commands {
                        #expect(try card.transmit(command).suffix(2) == [0x90, 0x00], "\(place)")
                    }
                }
            }
        }
        #expect(proved > 0)
    }
}
