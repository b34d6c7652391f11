// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import JSONText
import Trace

/// Brings what the kit's micro-controller says to the chip into the trace of the case: the second side of a chip with
/// two interfaces, as the firmware's own log tells it.
///
/// The exchanges are events with keys of their own, marked with their source, so that nobody counts them among those of
/// the reader.
final class KitTrace {
    private let kit: any Kit
    private var reader = UARTExchangeReader()
    private var next: Int

    /// Begins with what the kit logs from now on.
    init(_ kit: any Kit) {
        self.kit = kit
        next = kit.uartLineCount
    }

    /// Writes down what was logged since the last call.
    func collect(into tracing: TracingConnection) {
        let count = kit.uartLineCount
        let lines = kit.uartLines(since: next)
        // More than the lines that are here when old ones are not kept any more.
        next = max(next + lines.count, count)
        for line in lines {
            if let exchange = reader.add(line) { write(exchange, to: tracing) }
        }
    }

    /// Writes down the command that was never answered.
    func end(into tracing: TracingConnection) {
        collect(into: tracing)
        if let exchange = reader.end() { write(exchange, to: tracing) }
    }

    private func write(_ exchange: UARTExchange, to tracing: TracingConnection) {
        let masks = tracing.masks
        let command = TracedBytes(exchange.command, hidden: masks.hiddenInCommand(exchange.command))
        var fields = [
            JSON.Member("source", "uart"), JSON.Member("interface", "i2c"),
            JSON.Member("command", .string(command.text)),
        ]
        if let bytes = exchange.response {
            let hidden = masks.hiddenInResponse(bytes, to: exchange.command)
            fields.append(JSON.Member("answer", .string(TracedBytes(bytes, hidden: hidden).text)))
        }
        if let name = tracing.name(of: exchange.command) {
            fields.append(JSON.Member("name", .string(name)))
        }
        tracing.record(event: "kit-exchange", fields: fields, at: exchange.time)
    }
}
