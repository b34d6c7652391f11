// SPDX-License-Identifier: MIT

import FuzzInput
import SmartCard

/// Hex text, lines of command scripts, APDUs: whatever is read is written back as the same bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let input = FuzzInput(data, size)
    if let read = attempt({ try HexText.bytes(input.text) }) {
        precondition(attempt { try HexText.bytes(read.hex) } == read, "hex text does not come back")
    }
    if let line = attempt({ try CommandText.parse(input.text) }), let command = line {
        let again = attempt { try CommandAPDU(bytes: command.bytes) }
        precondition(again == command, "a command of a script does not come back")
    }
    if let command = attempt({ try CommandAPDU(bytes: input.bytes) }) {
        precondition(command.bytes == input.bytes, "a command does not come back byte for byte")
    }
    if let response = attempt({ try ResponseAPDU(bytes: input.bytes) }) {
        precondition(response.bytes == input.bytes, "a response does not come back byte for byte")
        precondition(!response.sw.meaning.isEmpty, "a status word without a meaning")
    }
    return 0
}
