// SPDX-License-Identifier: MIT

import SmartCard

/// BER-TLV: what was read once reads the same again, in every mode.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    for lenient in [false, true] {
        _ = try? TLV.parse(bytes, padding: .skip, lenient: lenient)
        guard let objects = try? TLV.parse(bytes, padding: .strict, lenient: lenient) else { continue }
        // Lengths may have been written longer than needed, so the objects come back, not the bytes.
        let again = try? TLV.parse(objects.flatMap(\.encoded), padding: .strict, lenient: lenient)
        precondition(again == objects, "objects do not come back")
        _ = TLV.tree(objects)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try? TLVPath(text)
    return 0
}
