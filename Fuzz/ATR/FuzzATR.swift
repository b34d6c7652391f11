// SPDX-License-Identifier: MIT

import SmartCard

/// Answers to reset: any bytes give facts and findings, or a reason.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    if let atr = try? ATR(bytes) {
        precondition(!atr.protocols.isEmpty, "an ATR offers at least T=0")
        precondition(atr.historicalBytes.count <= 15, "K is four bits")
        _ = atr.findings
    }
    return 0
}
