// SPDX-License-Identifier: MIT

import FuzzInput
import SmartCard

/// BER-TLV: what was read once reads the same again, in every mode.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let input = FuzzInput(data, size)
    for lenient in [false, true] {
        attempt { try TLV.parse(input.bytes, padding: .skip, lenient: lenient) }
        guard let objects = attempt({ try TLV.parse(input.bytes, padding: .strict, lenient: lenient) })
        else { continue }
        // Lengths may have been written longer than needed, so the objects come back, not the bytes.
        let again = attempt { try TLV.parse(objects.flatMap(\.encoded), padding: .strict, lenient: lenient) }
        precondition(again == objects, "objects do not come back")
        _ = TLV.tree(objects)
    }
    attempt { try TLVPath(input.text) }
    return 0
}
