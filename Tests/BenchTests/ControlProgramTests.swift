// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Foundation
import HostSystem
import Testing

@testable import Bench

@Suite("Programs of a bench")
struct ControlProgramTests {
    @Test("what it prints comes back, and arguments arrive unchanged")
    func output() throws {
        let output = try shell(.field, "printf '%s|' \"$@\"").run(["on", "two words", "$HOME;`id`"])
        #expect(output == "on|two words|$HOME;`id`|")
    }

    @Test("its environment is a small part of ours, without secrets")
    func environment() throws {
        let output = try shell(.field, "env").run(
            environment: ["PATH": "/usr/bin:/bin", "RIG_VAR_PIN": "1234", "LANG": "C", "LD_PRELOAD": ""]
        )
        let names = output.split(separator: "\n").map { String($0.prefix { $0 != "=" }) }
        let own = Set(names).subtracting(["PWD", "SHLVL", "_", "OLDPWD"])
        #expect(own == ["PATH", "LANG", "TAPRIG_BENCH", "TAPRIG_CONTROL"])
        #expect(output.contains("TAPRIG_BENCH=/lab\n"))
        #expect(output.contains("TAPRIG_CONTROL=field\n"))
    }

    @Test("its input is empty, and it inherits no file of ours")
    func files() throws {
        let open = try #require(fopen("/etc/hostname", "r"))
        defer { fclose(open) }
        let output = try shell(.field, "cat; readlink /proc/$$/fd/*; true").run()
        #expect(output.hasPrefix("/dev/null\n"))
        #expect(!output.contains("hostname"))
    }

    @Test("a failure is a control fault with its status and last line")
    func failure() {
        let program = shell(.button, "echo first >&2; printf 'relay \\033[1mstuck\\n\\n' >&2; exit 7")
        let found = fault { () throws(TransportFault) in try program.run() }
        #expect(found?.kind == .control)
        #expect(found?.detail == "kit.button: sh ended with status 7: relay [1mstuck")
    }

    @Test("a failure without a word on the error stream shows what it printed")
    func failureOnOutput() {
        let loud = fault { () throws(TransportFault) in try shell(.button, "echo no power; exit 1").run() }
        #expect(loud?.detail == "kit.button: sh ended with status 1: no power")
        let silent = fault { () throws(TransportFault) in try shell(.button, "exit 1").run() }
        #expect(silent?.detail == "kit.button: sh ended with status 1 and printed nothing")
    }

    @Test("what takes too long is killed with all that it started")
    func timeout() throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/pid"
        let program = shell(
            .reset,
            "sleep 1000 & echo $! > \(file).new; mv \(file).new \(file); echo waiting; wait",
            timeout: .milliseconds(700)
        )
        let begin = MonotonicTime.now
        let found = fault { () throws(TransportFault) in try program.run() }
        #expect(MonotonicTime.now - begin < .seconds(10))
        #expect(found?.kind == .control)
        #expect(found?.detail == "kit.reset: sh did not end in 700ms and was killed: waiting")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // The kernel takes its time to end a process, and an orphan may wait for its new parent to take it away.
        let end = MonotonicTime.now + .seconds(10)
        var isGone = false
        while !isGone, MonotonicTime.now < end {
            let state = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            isGone = state.isEmpty || state.contains(") Z ") || state.contains(") X ")
            MonotonicTime.sleep(.milliseconds(2))
        }
        #expect(isGone)
    }

    @Test("output past 64 KiB is thrown away, and the program still ends")
    func bounded() throws {
        let output = try shell(.field, "head -c 300000 /dev/zero | tr '\\0' x").run()
        #expect(output.utf8.count == ChildProcess.mostOutput)
    }

    @Test("a program that leaves something running behind it is not waited for")
    func daemon() throws {
        let begin = MonotonicTime.now
        let output = try shell(.field, "sleep 30 & echo $!").run()
        #expect(MonotonicTime.now - begin < .seconds(10))
        let pid = try #require(pid_t(output.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(pid, SIGKILL) == 0)
    }

    @Test("signals that the rig blocks reach the program")
    func signals() {
        var blocked = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let found = fault { () throws(TransportFault) in try shell(.field, "kill -TERM $$; echo alive").run()
        }
        #expect(found?.detail == "field: sh was ended by signal 15 and printed nothing")
    }

    @Test("a program that is not there is a control fault")
    func missing() {
        var program = shell(.led, "")
        program.path = "/no/such/program"
        let found = fault { () throws(TransportFault) in try program.run() }
        #expect(found?.kind == .control)
        #expect(
            found?.description
                == "kit.led: the program /no/such/program cannot be started: No such file or directory; "
                + "see bench.yaml:1:1"
        )
    }

    @Test("a kit of programs presses, looks and resets")
    func kit() throws {
        let folder = try TemporaryFolder()
        let lit = "\(folder.path)/lit"
        let kit = try #require(
            ExecKit(
                name: "kit",
                programs: [
                    shell(.button, "if [ -e \(lit) ]; then rm \(lit); else touch \(lit); fi"),
                    shell(.led, "if [ -e \(lit) ]; then echo lit; else echo Dark; fi"),
                ]
            )
        )
        #expect(kit.capabilities == [Capability(rawValue: "kit.button"), Capability(rawValue: "kit.led")])
        #expect(try kit.led() == .dark)
        try kit.pressButton()
        #expect(try kit.led() == .lit)
        #expect(kit.uartLines(since: 0).isEmpty)
        let found = fault { () throws(TransportFault) in try kit.reset() }
        #expect(found?.detail == "the bench names no program for kit.reset")
        #expect(ExecKit(name: "none", programs: [shell(.field, "true")]) == nil)
    }

    @Test("a LED program that prints something else is a control fault")
    func wrongLED() throws {
        let kit = try #require(ExecKit(name: "kit", programs: [shell(.led, "echo 1; echo lit")]))
        let found = fault { () throws(TransportFault) in _ = try kit.led() }
        #expect(
            found?.description == "kit.led: sh printed '1 lit'; it has to print lit or dark and nothing else"
        )
    }

    @Test("a field program switches, and nothing passes while the field is off")
    func field() throws {
        let folder = try TemporaryFolder()
        let log = "\(folder.path)/log"
        let below = TableConnection(answers: ["00A4": [0x90, 0x00]])
        let connection = ProgramFieldConnection(below, program: shell(.field, "echo $1 >> \(log)"))
        #expect(connection.facts.capabilities == [.fieldControl])
        #expect(try connection.transmit([0x00, 0xA4]) == [0x90, 0x00])
        try connection.setField(.off)
        let found = fault { () throws(TransportFault) in _ = try connection.transmit([0x00, 0xA4]) }
        #expect(found?.kind == .noCard)
        try connection.setField(.on)
        #expect(try connection.transmit([0x00, 0xA4]) == [0x90, 0x00])
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "off\non\n")
        #expect(below.fieldStates.isEmpty)
        connection.close()
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "off\non\n", "it was on")
    }

    @Test("a field that is off when its connection is closed goes on, for whoever comes next")
    func leftOff() throws {
        let folder = try TemporaryFolder()
        let log = "\(folder.path)/log"
        let connection = ProgramFieldConnection(
            TableConnection(),
            program: shell(.field, "echo $1 >> \(log)")
        )
        try connection.setField(.off)
        connection.close()
        connection.close()
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "off\non\n")
    }
}
