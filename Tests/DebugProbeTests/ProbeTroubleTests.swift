// SPDX-License-Identifier: MIT

import CardConnection
import Testing

@testable import DebugProbe

/// What the client does when probe or chip do not do as they should.
@Suite struct ProbeTroubleTests {
    private static let reset = """
        > 12 33 ff ff ff ff ff ff ff < 12 00
        > 12 10 9e e7 < 12 00
        > 12 33 ff ff ff ff ff ff ff < 12 00
        > 12 08 00 < 12 00
        """
    private static let mute = reset + "\n> 05 00 01 02 < 05 00 07"
    private static let awake = reset + "\n> 05 00 01 02 < 05 01 01 77 24 a0 6b"
    private static let power = """
        > 05 00 04 00 1e 00 00 00 08 00 00 00 00 04 00 00 00 50 06 < 05 04 01 00 00 00 f0
        """
    private static let ports = """
        > 05 00 02 08 f0 00 00 00 0f < 05 02 01 01 00 77 84
        > 05 00 01 08 00 00 00 00 < 05 01 01
        > 05 00 02 01 02 00 00 23 03 < 05 02 01 42 00 00 23
        """
    private static let head = """
        > 00 f0 < 00 01 11
        > 00 ff < 00 02 40 00
        > 02 01 < 02 01
        > 11 40 42 0f 00 < 11 00
        > 04 02 50 00 00 00 < 04 00
        > 13 00 < 13 00
        """

    private func memory(_ lines: String...) throws -> (TargetMemory, ScriptedLink) {
        let link = ScriptedLink(
            try ScriptedLink.fixture("start-up.txt") + lines.flatMap(ScriptedLink.exchanges)
        )
        return (try TargetMemory(link, clock: ModelClock()), link)
    }

    private func failure(_ lines: String...) -> ProbeError? {
        #expect(throws: ProbeError.self) {
            _ = try TargetMemory(ScriptedLink(lines.flatMap(ScriptedLink.exchanges)), clock: ModelClock())
        }
    }

    // MARK: Start-up

    @Test func `A chip that is silent at first is asked three times, then slowly`() throws {
        let link = ScriptedLink(
            Self.head,
            Self.mute,
            Self.mute,
            Self.mute,
            "> 11 a0 86 01 00 < 11 00",
            Self.awake,
            Self.power,
            Self.ports
        )
        #expect(try TargetMemory(link, clock: ModelClock()).debugPortIdentity == 0x6BA0_2477)
        #expect(link.rest == 0)
    }

    @Test func `A chip that stays silent is the chip's trouble, and the sentence says where to look`() {
        let error = failure(
            Self.head,
            Self.mute,
            Self.mute,
            Self.mute,
            "> 11 a0 86 01 00 < 11 00",
            Self.mute,
            "> 10 00 00 00 00 00 00 < 10 a3"
        )
        #expect(error?.kind == .target)
        #expect(error?.description.contains("is the board powered") == true)
        let held = failure(
            Self.head,
            Self.mute,
            Self.mute,
            Self.mute,
            "> 11 a0 86 01 00 < 11 00",
            Self.mute,
            "> 10 00 00 00 00 00 00 < 10 23"
        )
        #expect(held?.description.contains("does not answer on SWD: its reset line is low") == true)
    }

    @Test func `Power is waited for, for a second`() throws {
        let late = ScriptedLink(
            Self.head,
            Self.awake,
            "> 05 00 04 00 1e 00 00 00 08 00 00 00 00 04 00 00 00 50 06 < 05 04 01 00 00 00 50",
            "> 05 00 01 06 < 05 01 01 00 00 00 50",
            "> 05 00 01 06 < 05 01 01 00 00 00 f0",
            Self.ports
        )
        _ = try TargetMemory(late, clock: ModelClock())
        #expect(late.rest == 0)
        let never = String(repeating: "> 05 00 01 06 < 05 01 01 00 00 00 50\n", count: 1000)
        let error = failure(
            Self.head,
            Self.awake,
            "> 05 00 04 00 1e 00 00 00 08 00 00 00 00 04 00 00 00 50 06 < 05 04 01 00 00 00 50",
            never
        )
        #expect(error?.description.contains("does not power up (CTRL/STAT 50000000)") == true)
    }

    @Test func `A probe without SWD, or that does not know a command, is not supported`() {
        #expect(failure("> 00 f0 < 00 01 02")?.kind == .unsupported)
        #expect(failure("> 00 f0 < 00 00")?.kind == .unsupported)
        #expect(failure("> 00 f0 < 00 01 11", "> 00 ff < 00 02 40 00", "> 02 01 < ff")?.kind == .unsupported)
        #expect(
            failure("> 00 f0 < 00 01 11", "> 00 ff < 00 02 40 00", "> 02 01 < 02 00")?.kind == .unsupported
        )
        #expect(failure("> 00 f0 < 00 01 11", "> 00 ff < 00 02 08 00")?.kind == .unsupported)
    }

    @Test func `A command that fails by its status is named`() {
        let error = failure(
            "> 00 f0 < 00 01 11",
            "> 00 ff < 00 02 40 00",
            "> 02 01 < 02 01",
            "> 11 40 42 0f 00 < 11 ff"
        )
        #expect(error?.description == "the scripted probe did not carry out command 11: status FF")
    }

    @Test(arguments: ["> 00 f0 < 05 01 11", "> 00 f0 < 00", "> 00 f0 < 00 09 11"])
    func `An answer to something else, or too short, means out of step`(line: String) {
        #expect(failure(line)?.kind == .outOfStep)
    }

    // MARK: Accesses

    @Test func `A fault is cleared, and the access repeated once`() throws {
        let (memory, link) = try memory(
            "> 05 00 02 05 80 06 31 40 0f < 05 01 04",
            "> 05 00 01 06 < 05 01 01 20 00 00 f0",
            "> 08 00 1e 00 00 00 < 08 00",
            "> 05 00 02 05 80 06 31 40 0f < 05 02 01 80 00 00 00"
        )
        #expect(try memory.read(0x4031_0680) == 0x80)
        #expect(link.rest == 0)
    }

    @Test func `A fault that stays is told with address and status, after one new start`() throws {
        let faults = """
            > 05 00 02 05 80 06 31 40 0f < 05 01 04
            > 05 00 01 06 < 05 01 01 20 00 00 f0
            > 08 00 1e 00 00 00 < 08 00
            > 05 00 02 05 80 06 31 40 0f < 05 01 04
            > 08 00 1e 00 00 00 < 08 00
            """
        let (memory, link) = try memory(faults, Self.awake, Self.power, Self.ports, faults)
        let error = #expect(throws: ProbeError.self) { try memory.read(0x4031_0680) }
        #expect(
            error?.description
                == "the chip behind the scripted probe refuses an access to address 40310680, CTRL/STAT F0000020"
        )
        #expect(link.rest == 0)
    }

    @Test func `An access that has to wait for ever is given up by DAPABORT`() throws {
        let waits = "> 05 00 02 05 80 06 31 40 0f < 05 01 02\n> 08 00 1f 00 00 00 < 08 00"
        let (memory, link) = try memory(waits, Self.awake, Self.power, Self.ports, waits)
        let error = #expect(throws: ProbeError.self) { try memory.read(0x4031_0680) }
        #expect(error?.description.contains("it keeps asking to wait") == true)
        #expect(link.rest == 0)
    }

    @Test func `A block or a match that has to wait for ever is given up by DAPABORT`() throws {
        let abort = "> 08 00 1f 00 00 00 < 08 00"
        let block =
            "> 05 00 02 01 12 00 00 23 05 80 06 31 40 < 05 02 01\n> 06 00 02 00 0f < 06 00 00 02\n" + abort
        let (memory, link) = try memory(block, Self.awake, Self.power, Self.ports, block)
        #expect {
            try memory.readBlock(0x4031_0680, count: 2)
        } throws: {
            ($0 as? ProbeError)?.description.contains("it keeps asking to wait") == true
        }
        #expect(link.rest == 0)
        let match = """
            > 04 02 50 00 02 00 < 04 00
            > 05 00 03 20 80 00 00 00 05 80 06 31 40 1f 00 00 00 00 < 05 02 02
            """
        let again = match.split(separator: "\n").dropFirst().joined()
        let (second, secondLink) = try self.memory(
            match,
            abort,
            Self.awake,
            Self.power,
            Self.ports,
            again,
            abort
        )
        #expect {
            try second.wait(for: 0x4031_0680, mask: 0x80, value: 0, retries: 2)
        } throws: {
            ($0 as? ProbeError)?.description.contains("it keeps asking to wait") == true
        }
        #expect(secondLink.rest == 0)
    }

    @Test func `A chip that was reset by somebody else is woken, and the read done`() throws {
        let (memory, link) = try memory(
            "> 05 00 02 05 80 06 31 40 0f < 05 00 07",
            Self.awake,
            Self.power,
            Self.ports,
            "> 05 00 02 05 80 06 31 40 0f < 05 02 01 00 00 00 00"
        )
        #expect(try memory.read(0x4031_0680) == 0)
        #expect(link.rest == 0)
    }

    @Test func `A write without acknowledge is not done twice`() throws {
        let (memory, link) = try memory("> 05 00 02 05 20 00 31 40 0d 10 00 00 00 < 05 01 07")
        #expect(throws: ProbeError.self) { try memory.write(0x4031_0020, 0x10) }
        #expect(link.rest == 0)
    }

    @Test func `After a reset of the board the debug port is woken before the next read`() throws {
        let (memory, link) = try memory(
            "> 10 00 80 00 00 00 00 < 10 00",
            "> 10 80 80 00 00 00 00 < 10 80",
            Self.awake,
            Self.power,
            Self.ports,
            "> 05 00 02 05 80 06 31 40 0f < 05 02 01 80 00 00 00"
        )
        try memory.holdReset()
        try memory.releaseReset()
        #expect(try memory.read(0x4031_0680) == 0x80)
        #expect(link.rest == 0)
    }

    @Test func `A probe that does not know the host status is ended all the same`() throws {
        let (memory, link) = try memory("> 01 00 00 < ff", "> 03 < 03 00")
        memory.close()
        #expect(link.rest == 0)
        #expect(link.isClosed)
    }

    @Test func `A count of transfers that cannot be is out of step`() throws {
        let (memory, _) = try memory("> 05 00 02 05 80 06 31 40 0f < 05 09 01 80 00 00 00")
        let error = #expect(throws: ProbeError.self) { try memory.read(0x4031_0680) }
        #expect(error?.kind == .outOfStep)
        #expect(error?.endsLink == true)
    }
}
