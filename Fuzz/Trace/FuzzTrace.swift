// SPDX-License-Identifier: MIT

import JSONText
import Trace

/// Trace files: any bytes are records or a reason with its line; text and statistics of the records never fail.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    guard let reader = try? TraceReader(bytes: bytes, name: "input") else { return 0 }
    var text = TraceText()
    var statistics = ExchangeStatistics()
    if let header = reader.header { _ = text.text(of: header) }
    while let record = try? reader.next() {
        _ = text.text(of: record)
        if case .exchange(let exchange) = record { statistics.add(exchange) }
    }
    _ = statistics.json.text
    return 0
}
