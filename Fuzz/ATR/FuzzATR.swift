// SPDX-License-Identifier: MIT

import FuzzInput
import SmartCard

/// Answers to reset: any bytes give facts and findings, or a reason.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    if let atr = attempt({ try ATR(bytes) }) {
        precondition(!atr.protocols.isEmpty, "an ATR offers at least T=0")
        precondition(atr.historicalBytes.count <= 15, "K is four bits")
        precondition(atr.findings.allSatisfy { !"\($0)".isEmpty }, "a finding without a sentence")
    }
    return 0
}
