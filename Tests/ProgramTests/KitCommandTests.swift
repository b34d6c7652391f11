// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing

/// The commands for kits, on an emulated kit that another process offers.
@Suite struct KitCommandTests {
    /// A kit on free ports of this host.
    private struct Emulated {
        let process: ChildProcess
        let probe: String
        let uart: String

        init(_ options: String..., input: String = "") throws {
            let arguments = options.flatMap { ["--option", $0] }
            process = try Taprig.start(
                ["kit", "emulate", "--tcp", "127.0.0.1:0", "--uart"] + arguments,
                input: input
            )
            let child = process
            #expect(child.wait(until: { child.outputSoFar.contains("uart:") }))
            let places = child.outputSoFar.split(separator: "\n").map(String.init)
            probe = try #require(places.first { $0.hasPrefix("tcp:") })
            uart = String(try #require(places.first { $0.hasPrefix("uart:") }).dropFirst(5))
        }

        func run(_ arguments: String...) throws -> ChildProcess.Ending { try start(arguments).wait() }

        func start(_ arguments: [String], output: ChildProcess.Output = .kept) throws -> ChildProcess {
            try Taprig.start(["kit"] + arguments + ["--probe", probe], output: output)
        }
    }

    @Test func `A LED that blinks every 10 ms is never a steady one`() throws {
        let kit = try Emulated("led=blinking")
        for _ in 0..<3 {
            for state in ["dark", "lit"] {
                let ending = try kit.run("led", "--is", state)
                #expect(ending.status == 1, "\(state): \(ending.everything)")
            }
        }
    }

    @Test func `A change beside for is judged, and a blink takes no limit`() throws {
        let kit = try Emulated()
        let ending = try kit.run("led", "--was", "lit", "--is", "dark", "--for", "100ms")
        #expect(ending.status == 1)
        #expect(ending.output.contains("a change from lit was not seen"))
        for (arguments, advice) in [
            (["--blink", "500ms", "--within", "1s"], "leave --within out"),
            (["--is", "lit", "--blink", "1s"], "leave --is and --was out"),
            (["--was", "lit"], "--is for a state, or --blink for a period"),
            (["--is", "dark", "--within", "5ms"], "60.0 ms"),
        ] {
            let ending = try kit.start(["led"] + arguments).wait()
            #expect(ending.status == 2)
            #expect(ending.errors.contains(advice), "\(ending.errors)")
        }
    }

    @Test func `A reset that is held ends at a signal with the line let go`() throws {
        let kit = try Emulated()
        let hold = try kit.start(["reset", "--hold", "60s"])
        #expect(hold.wait(until: { hold.errorsSoFar.contains("is held") }))
        hold.send(SIGINT)
        let ending = try hold.wait()
        #expect(ending.status == 130)
        #expect(!ending.wasKilled)
        #expect(try kit.run("led", "--is", "dark").status == 0)
    }

    @Test func `A line that a killed program left low is named, and a reset lets it go`() throws {
        let kit = try Emulated()
        let hold = try kit.start(["reset", "--hold", "60s"])
        #expect(hold.wait(until: { hold.errorsSoFar.contains("is held") }))
        hold.send(SIGKILL)
        _ = try hold.wait()
        let seen = try kit.run("led")
        #expect(seen.status == 3)
        #expect(seen.errors.contains("its reset line is low"))
        #expect(try kit.run("reset").status == 0)
        #expect(try kit.run("led", "--is", "dark").status == 0)
    }

    @Test func `What nobody can read any more is not shown for ever`() throws {
        let kit = try Emulated()
        #expect(try kit.start(["watch"], output: .closedPipe).wait(limit: .seconds(20)).status == 0)
        let full = try kit.start(["watch"], output: .full).wait(limit: .seconds(20))
        #expect(full.status == 3)
        #expect(full.errors.contains("standard output"))
        let log = ["kit", "uart", "--uart", kit.uart]
        #expect(try Taprig.start(log, output: .closedPipe).wait(limit: .seconds(20)).status == 0)
        let uart = try Taprig.start(log, output: .full)
        #expect(uart.wait(until: { uart.errorsSoFar.contains("reading") }))
        #expect(try kit.run("reset").status == 0)
        #expect(try uart.wait(limit: .seconds(20)).status == 3)
        let emulated = try Taprig.start(["kit", "emulate", "--tcp", "127.0.0.1:0"], output: .full)
        #expect(try emulated.wait(limit: .seconds(20)).status == 3)
    }

    @Test func `Another chip is warned of before anything is written to it`() throws {
        let kit = try Emulated("target-id=11223344")
        for command in ["button", "led", "reset"] {
            let ending = try kit.run(command)
            #expect(ending.status == 0)
            #expect(ending.errors.contains("calls itself 11223344"), "\(command)")
        }
    }

    @Test func `Lines from before its start are not what kit uart waits for`() throws {
        let kit = try Emulated(input: "press\n")
        let child = kit.process
        #expect(child.wait(until: { child.outputSoFar.contains("done: press") }))
        let other = open(kit.uart, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        defer { close(other) }
        var waiting = pollfd(fd: other, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 10_000) == 1)
        let ending = try Taprig.run(
            "kit",
            "uart",
            "--uart",
            kit.uart,
            "--expect",
            "LED turned OFF",
            "--within",
            "1s"
        )
        #expect(ending.status == 1)
    }

    @Test func `The firmware's control characters do nothing on a terminal`() throws {
        let kit = try Emulated()
        let terminal = try ShellTerminal(["kit", "uart", "--uart", kit.uart], environment: [:])
        try terminal.expect("reading")
        #expect(try kit.run("reset").status == 0)
        try terminal.expect("NBT: Asynchronous Data Transfer")
        #expect(terminal.screen.contains("\\u001B[2J"))
        #expect(!terminal.screen.contains("\u{1B}[2J"))
        terminal.send(SIGINT)
    }

    @Test func `A log that nobody named is told as that`() throws {
        let none = try Taprig.run("kit", "uart", "--uart", "none")
        #expect(none.status == 2)
        #expect(none.errors.contains("--uart none leaves nothing to listen to"))
        let far = try Taprig.run("kit", "uart", "--probe", "tcp:127.0.0.1:4441")
        #expect(far.status == 3)
        #expect(far.errors.contains("is not on this host's USB; a serial device can be named with --uart"))
        #expect(try Taprig.run("kit", "uart", "--expect", "").status == 2)
    }

    @Test(arguments: [
        (["--vpcd", "x"], "add --nfc"), (["--vpcd", "localhost:35963"], "add --nfc"),
        (["--tcp", "localhost:99999"], "'99999' is no TCP port"),
        (["--tcp", "localhost:"], "the port is missing"),
        (["--option", "target-id=12"], "8 hex digits"),
        (["--option", "target-id=112233445566"], "8 hex digits"),
    ])
    func `A wrong value of the emulated kit is refused with what is right`(
        arguments: [String],
        advice: String
    ) throws {
        let ending = try Taprig.start(["kit", "emulate"] + arguments).wait(limit: .seconds(20))
        #expect(ending.status == 2)
        #expect(ending.errors.contains(advice), "\(ending.errors)")
    }
}
