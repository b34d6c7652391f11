// SPDX-License-Identifier: MIT

import FuzzInput
import JSONText
import Trace

/// Trace files: any bytes are records or a reason with its line; text, masks and statistics of the records never fail.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    guard let reader = attempt({ try TraceReader(bytes: bytes, name: "input") }) else { return 0 }
    var text = TraceText()
    var statistics = ExchangeStatistics()
    var mask = SecretMask(target: reader.header?.target)
    if let header = reader.header { _ = text.text(of: header) }
    while let read = attempt({ try reader.next() }), let record = read {
        _ = text.text(of: record)
        guard case .exchange(let exchange) = record else { continue }
        statistics.add(exchange)
        mask.learn(from: exchange.command.bytes)
        let masked = exchange.masked(by: mask)
        precondition(masked.command.bytes.count == exchange.command.bytes.count, "a mask changed a length")
        precondition(masked.command.hiddenCount >= exchange.command.hiddenCount, "a mask showed a byte")
        precondition(masked.masked(by: mask) == masked, "a mask does more when it is put on again")
        let shown = TracedBytes(text: masked.command.text)
        precondition(shown?.hidden == masked.command.hidden, "hidden bytes do not come back")
    }
    _ = statistics.json.text
    return 0
}
