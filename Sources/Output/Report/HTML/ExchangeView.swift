// SPDX-License-Identifier: MIT

import RunRecord
import Trace

/// An exchange as a page shows it, from a trace or from the record.
struct ExchangeView {
    let name: String
    let command: String
    /// The bytes of the command; nil when they were cut or partly hidden.
    let commandBytes: [UInt8]?
    /// The data of the answer in hex.
    let data: String
    /// The data's bytes; nil when they were cut or partly hidden.
    let dataBytes: [UInt8]?
    /// The status word in hex; empty after a fault.
    let status: String
    let statusWord: UInt16?
    /// Fault word and sentence; empty when there was an answer.
    let fault: String
    /// Milliseconds; nil when they are not known.
    let milliseconds: Double?

    /// Makes the view of an exchange of a trace.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - namer: The device's own name of a command; nil from it leaves the name to the standard.
    init(_ exchange: TraceExchange, namer: ([UInt8]) -> String?) {
        let given = exchange.command
        name = exchange.name.isEmpty ? Self.name(of: given.bytes, namer) : exchange.name
        command = given.text
        commandBytes = given.hidden.isEmpty ? given.bytes : nil
        statusWord = exchange.statusWord
        milliseconds = exchange.microseconds.map { $0 / 1000 }
        switch exchange.outcome {
        case .fault(let word, let detail):
            fault = detail.isEmpty ? word : "\(word): \(detail)"
            (data, dataBytes, status) = ("", nil, "")
        case .response(let response):
            fault = ""
            let text = response.text
            data = String(text.dropLast(4))
            status = String(text.suffix(4))
            let isHidden = response.hidden.contains { $0.lowerBound < response.bytes.count - 2 }
            dataBytes = isHidden ? nil : response.bytes.dropLast(2)
        }
    }

    /// The same of an exchange of the record.
    init(_ summary: ExchangeSummary, namer: ([UInt8]) -> String?) {
        let given = TracedBytes(text: summary.command)
        name = given.map { Self.name(of: $0.bytes, namer) } ?? ""
        command = summary.command
        commandBytes = given.flatMap { $0.hidden.isEmpty ? $0.bytes : nil }
        milliseconds = summary.milliseconds.isFinite ? summary.milliseconds : nil
        let response = TracedBytes(text: summary.response)
        // Cut data has its length in brackets in the middle; a fault is a word.
        let isAnswer = response.map { $0.bytes.count >= 2 } ?? summary.response.contains("..[")
        guard isAnswer else {
            fault = summary.response
            (data, dataBytes, status, statusWord) = ("", nil, "", nil)
            return
        }
        fault = ""
        data = String(summary.response.dropLast(4))
        status = String(summary.response.suffix(4))
        statusWord = UInt16(summary.response.suffix(4), radix: 16)
        dataBytes = response.flatMap { bytes in
            bytes.hidden.contains { $0.lowerBound < bytes.bytes.count - 2 } ? nil : bytes.bytes.dropLast(2)
        }
    }

    private static func name(of command: [UInt8], _ namer: ([UInt8]) -> String?) -> String {
        namer(command) ?? CommandNames.name(of: command) ?? ""
    }
}
