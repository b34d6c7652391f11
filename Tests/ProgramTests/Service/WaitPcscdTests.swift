// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JSONText
import Testing

extension ProgramPcscdTests {
    /// Jobs that start before the operator is ready (field case S16).
    @Suite("Waiting for readers and cards")
    struct WaitPcscdTests {
        private let folder: TemporaryFolder
        private let relay: ServiceRelay

        init() throws {
            folder = try TemporaryFolder()
            relay = try ServiceRelay(folder.path("service"))
            TestService.waitUntilEmpty()
            try folder.write(
                "suite.yaml",
                Scenarios.nbt(
                    cases: "\(Scenarios.passing)\n"
                        + Scenarios.passing.replacing("passes", with: "passes too"),
                    header: "options: { firmware-loop: off }\n"
                )
            )
        }

        private func start(_ via: String, wait: String, _ more: String...) throws -> ChildProcess {
            try Taprig.start(
                ["run", "suite.yaml", "--out", "out", "--via", via, "--wait", wait] + more,
                in: folder.path,
                environment: ["PCSCLITE_CSOCK_NAME": relay.path, "HOME": folder.path]
            )
        }

        /// The number of calls once a wait has begun.
        private func settledCallCount() -> Int {
            usleep(200_000)
            return relay.callCount
        }

        private func record() throws -> JSON {
            try JSON(parsing: Array(try folder.data("out/run.json")))
        }

        /// A wait in vain.
        struct Vain: CustomTestStringConvertible {
            let reader: String
            let wait: String
            let seconds: Double
            let told: String
            let type: String
            let says: String
            var testDescription: String { "\(reader) for \(wait)" }

            static let all = [
                Vain(
                    reader: "Virtual PCD 00 00",
                    wait: "10s",
                    seconds: 10,
                    told: "waiting up to 10s for a card in the reader 'Virtual PCD 00 00'",
                    type: "CardAbsent",
                    says: "no card in the reader 'Virtual PCD 00 00' after 10 s"
                ),
                Vain(
                    reader: "*00 01",
                    wait: "1500ms",
                    seconds: 1.5,
                    told: "waiting up to 1.5s for a card in the reader 'Virtual PCD 00 01'",
                    type: "CardAbsent",
                    says: "no card in the reader 'Virtual PCD 00 01' after 1500 ms"
                ),
                Vain(
                    reader: "Omnikey",
                    wait: "3s",
                    seconds: 3,
                    told: "waiting up to 3s for a reader that fits 'pcsc:Omnikey', with a card in it",
                    type: "ReaderAbsent",
                    says: "no reader fits 'Omnikey'"
                ),
            ]
        }

        @Test(
            "in vain ends in time and names the reader, with few calls of the service (S16)",
            arguments: Vain.all
        )
        func vain(_ item: Vain) throws {
            let child = try start("pcsc:\(item.reader)", wait: item.wait)
            #expect(child.wait(until: { child.errorsSoFar.contains("waiting") }))
            let before = settledCallCount()
            usleep(UInt32((item.seconds - 0.8) * 1e6))
            #expect(child.isRunning)
            #expect(relay.callCount - before < 10, "calls while waiting")
            let ending = try child.wait()
            #expect(ending.status == 3)
            #expect(ending.errors == item.told + "\n")
            #expect(!ending.output.contains("waiting"))
            let record = try record()
            let seconds = Double(record["duration_ns"]?.integer ?? 0) / 1e9
            #expect((item.seconds...(item.seconds + 0.5)).contains(seconds))
            // Both cases are told of it, and the second one does not wait again.
            let problems = record.at("suites.0.cases")?.array?.compactMap { $0["problem"] } ?? []
            #expect(problems.compactMap { $0["type"]?.string } == [item.type, item.type])
            #expect(problems.allSatisfy { $0["message"]?.string?.contains(item.says) == true }, "\(problems)")
        }

        @Test(
            "ends soon after the card is there, and asks the service for next to nothing (S16)",
            arguments: [3.0, 1, 0.4]
        )
        func cardComes(seconds: Double) throws {
            let begin = Date()
            let child = try start("pcsc:\(TestService.reader)", wait: "20s", "--ci")
            #expect(child.wait(until: { child.errorsSoFar.hasPrefix("waiting up to 20s for a card") }))
            let before = settledCallCount()
            usleep(UInt32(max(0, seconds - Date().timeIntervalSince(begin)) * 1e6))
            #expect(child.isRunning)
            #expect(relay.callCount - before < 3, "calls while waiting")
            let device = try EmulatedDevice(["nbt", "--option", "firmware-loop=off"])
            let placed = Date()
            let ending = try child.wait()
            #expect(ending.status == 0, "\(ending.everything)")
            let format = ISO8601DateFormatter()
            format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            let started = try record().at("suites.0.cases.0.started")?.string.flatMap(format.date(from:))
            #expect(try #require(started).timeIntervalSince(placed) < 0.5)
            _ = try device.end()
        }

        @Test("is ended by a signal at once", arguments: [SIGINT, SIGTERM])
        func signal(_ number: Int32) throws {
            let child = try start("pcsc:\(TestService.reader)", wait: "10min")
            #expect(child.wait(until: { child.errorsSoFar.contains("waiting up to") }))
            let begin = ContinuousClock.now
            child.send(number)
            let ending = try child.wait()
            #expect(ContinuousClock.now - begin < .seconds(2))
            #expect(ending.status == 128 + number)
            #expect(folder.text("out/junit.xml").hasSuffix("</testsuites>\n"))
        }

        @Test("of send tells the same, and sends when the card is there")
        func send() throws {
            let arguments = [
                "send", "--via", "pcsc:\(TestService.reader)", "--wait", "20s", "00A4040007D276000085010100",
            ]
            let child = try Taprig.start(arguments)
            #expect(
                child.wait(until: { child.errorsSoFar.contains("waiting up to 20s for a card in the reader") }
                )
            )
            let device = try EmulatedDevice(["nbt"])
            let ending = try child.wait()
            #expect(ending.status == 0)
            #expect(ending.output.contains("9000"))
            _ = try device.end()
        }
    }
}
