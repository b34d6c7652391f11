// SPDX-License-Identifier: MIT

import SmartCard

/// Hex text, lines of command scripts, APDUs: whatever is read is written back as the same bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    let text = String(decoding: bytes, as: UTF8.self)
    if let read = try? HexText.bytes(text), let again = try? HexText.bytes(read.hex) {
        precondition(again == read, "hex text does not come back")
    }
    if let command = try? CommandText.parse(text), let again = try? CommandAPDU(bytes: command.bytes) {
        precondition(again == command, "a command of a script does not come back")
    }
    if let command = try? CommandAPDU(bytes: bytes) {
        precondition(command.bytes == bytes, "a command does not come back byte for byte")
    }
    if let response = try? ResponseAPDU(bytes: bytes) {
        precondition(response.bytes == bytes, "a response does not come back byte for byte")
        precondition(!response.sw.meaning.isEmpty, "a status word without a meaning")
    }
    return 0
}
