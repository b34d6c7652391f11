// SPDX-License-Identifier: MIT

import CardConnection
import FuzzInput
import NBT

/// The host's side of the I2C bus: whatever blocks come, an exchange ends with an answer or a fault, and in time.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    if let block = attempt({ try T1PrimeBlock(bytes: input.bytes) }) {
        precondition(block.bytes == input.bytes, "a block does not come back")
    }
    attempt { try T1PrimeParameters(bytes: input.bytes) }
    let choice = input.byte()
    let clock = ModelClock()
    let bus = FuzzedBus(input.pieces())
    let made = attempt { try T1PrimeConnection(bus: bus, clock: clock, deadline: .milliseconds(20)) }
    guard let connection = made else { return 0 }
    let command = [UInt8](repeating: 0, count: Int(choice) + 1)
    for _ in 0..<3 {
        if let answer = attempt({ try connection.transmit(command) }) {
            precondition(answer.count >= 2, "an answer without a status word")
        }
        if choice & 1 != 0 { attempt { try connection.reset(choice & 2 == 0 ? .warm : .cold) } }
    }
    connection.close()
    return 0
}
