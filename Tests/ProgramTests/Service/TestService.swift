// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JSONText
import Testing

/// The PC/SC service that `ci/with-pcscd` started for these tests alone.
enum TestService {
    static let reader = "Virtual PCD 00 00"

    /// Whether these tests run beside such a service.
    static var isThere: Bool {
        environment("TAPRIG_PCSCD") == "1" && environment("TAPRIG_PCSCD_PID_FILE") != nil
    }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    /// Ends the service and waits until it is gone.
    static func stop() throws {
        guard let file = environment("TAPRIG_PCSCD_PID_FILE"),
            let text = try? String(contentsOfFile: file, encoding: .utf8),
            let pid = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw ChildProcess.Failure(description: "no service to stop") }
        kill(pid, SIGTERM)
        guard eventually(within: .seconds(5), { isGone(pid) }) else {
            throw ChildProcess.Failure(description: "the service does not end")
        }
        unlink("/run/pcscd/pcscd.comm")
        unlink("/run/pcscd/pcscd.pid")
    }

    /// Starts the service and waits until it lists its readers.
    static func start() throws {
        let service = try ChildProcess("pcscd", ["--foreground"])
        service.letGo()
        let file = environment("TAPRIG_PCSCD_PID_FILE") ?? "/dev/null"
        try Data("\(service.processID)\n".utf8).write(to: URL(fileURLWithPath: file))
        let isUp = eventually(within: .seconds(10)) {
            (try? Taprig.run("readers").output.contains(reader)) == true
        }
        guard isUp else { throw ChildProcess.Failure(description: "the service does not start") }
    }

    private static func isGone(_ pid: pid_t) -> Bool {
        var status: Int32 = 0
        waitpid(pid, &status, WNOHANG)
        return kill(pid, 0) != 0
    }

    /// Waits until something holds.
    static func eventually(within limit: Duration, _ isSo: () -> Bool) -> Bool {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if isSo() { return true }
            usleep(20_000)
        }
        return isSo()
    }

    /// Waits until the service has looked at a reader without a card, which it does every 0.4 s.
    ///
    /// It holds the reader for empty as soon as an exchange fails; a card that is there again before it looks is then
    /// no change to it, and nothing but its own time tells when it has looked.
    static func waitUntilLooked() {
        usleep(1_000_000)
    }

    /// Waits until no card is in the reader, so that one test's card does not meet the next test.
    static func waitUntilEmpty() {
        _ = eventually(within: .seconds(5)) {
            (try? Taprig.run("readers", "--json").json())?.at("readers.0.state") == "empty"
        }
    }
}

/// A device that `taprig emulate` keeps in the virtual reader for the length of a test.
final class EmulatedDevice {
    let process: ChildProcess

    init(_ arguments: [String]) throws {
        process = try Taprig.start(["emulate"] + arguments)
        let isIn = process.wait(until: { [process] in process.errorsSoFar.contains("in the reader") })
        guard isIn else {
            throw ChildProcess.Failure(description: "the device is not in the reader: \(process.errorsSoFar)")
        }
    }

    /// Takes the device out.
    func end() throws -> ChildProcess.Ending {
        process.send(SIGTERM)
        let ending = try process.wait(limit: .seconds(120))
        TestService.waitUntilEmpty()
        return ending
    }
}
