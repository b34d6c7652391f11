// SPDX-License-Identifier: MIT

import DevKit
import FuzzInput

/// Lines of a kit's debug UART: each is read, written and read again; those about commands become exchanges.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let text = FuzzInput(data, size).text
    var exchanges = UARTExchangeReader()
    for part in text.split(whereSeparator: \.isNewline) {
        let line = UARTLine(time: .zero, line: String(part))
        let again = UARTLine(time: .zero, line: line.line)
        precondition(
            again.source == line.source && again.level == line.level,
            "a line changed its source or level"
        )
        precondition(again.text == line.text, "a line changed its text")
        if let exchange = exchanges.add(line) {
            precondition(!exchange.command.isEmpty, "an exchange without a command")
        }
    }
    _ = exchanges.end()
    return 0
}
