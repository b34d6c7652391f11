// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput

@testable import DebugProbe

/// A debug probe and a chip behind it that answer as the fuzzer likes: reads, waits and writes end with a result or a sentence.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    attempt { try ProbeAddress(input.text) }
    for framing in [ProbeFraming.openOCD, .elaphureLink] {
        if let count = framing.packetCount(head: Array(input.rest.prefix(framing.headCount))) {
            precondition((1...4096).contains(count), "a packet that nobody has room for")
        }
        for turn in framing.hello.indices { _ = framing.complaint(aboutHello: input.bytes, turn: turn) }
    }
    let choice = input.byte()
    let link = FuzzedLink(input.pieces())
    guard let memory = attempt({ try TargetMemory(link, clock: ModelClock()) }) else {
        precondition(link.isClosed, "a probe that could not be used was left open")
        return 0
    }
    let port: UInt32 = 0x4031_0000
    if let words = attempt({ try memory.read([port, port + 4, port, port + 0x1000]) }) {
        precondition(words.count == 4, "more or fewer words than addresses")
    }
    if let words = attempt({ try memory.readBlock(port + 0x3F0, count: Int(choice)) }) {
        precondition(words.count == Int(choice), "more or fewer words than were asked for")
    }
    attempt { try memory.wait(for: port, mask: 1, value: 1, retries: UInt16(choice)) }
    attempt { try memory.write(port, UInt32(choice)) }
    if choice & 1 != 0 {
        attempt { try memory.holdReset() }
        attempt { try memory.releaseReset() }
        attempt { try memory.read(port) }
    }
    memory.close()
    precondition(link.isClosed, "a probe that was let go is open")
    return 0
}
