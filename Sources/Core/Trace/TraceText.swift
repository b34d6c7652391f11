// SPDX-License-Identifier: MIT

import HostSystem
import JSONText
import SmartCard

/// A trace as text for people: `trace show`.
///
/// Made line by line, so that a long trace need not be in memory. Status words are explained by the standard and data
/// objects are shown as a tree, unless the caller, who knows the device, has better words.
public struct TraceText {
    /// The meaning of a status word in words; empty says nothing.
    public var meaning: (UInt16) -> String
    /// Lines that explain the data of an answer; empty says nothing.
    public var decode: (_ command: [UInt8], _ data: [UInt8]) -> [String]
    /// The device's own name of a command, for lines that tell none; nil leaves it to the standard.
    public var namer: (_ command: [UInt8]) -> String? = { _ in nil }

    private var lastStep = ""

    /// Makes the text.
    public init(
        meaning: ((UInt16) -> String)? = nil,
        decode: ((_ command: [UInt8], _ data: [UInt8]) -> [String])? = nil
    ) {
        self.meaning = meaning ?? { StatusWord(rawValue: $0).meaning }
        self.decode = decode ?? { TraceText.dataObjects($1) }
    }

    /// The standard's meaning of a status word.
    public static func meaning(of word: UInt16) -> String { StatusWord(rawValue: word).meaning }

    /// The data objects of an answer as lines; none when the data is anything else.
    ///
    /// Two bytes or fewer are read as objects too easily.
    public static func dataObjects(_ data: [UInt8]) -> [String] {
        guard data.count > 2, let objects = try? TLV.parse(data, lenient: true), !objects.isEmpty,
            objects.contains(where: { $0.tag.isConstructed }) || objects.count > 1
        else { return [] }
        return TLV.tree(objects).split(separator: "\n").map(String.init)
    }

    /// The lines of a header, each with its line feed.
    public func text(of header: TraceHeader) -> String {
        var rows: [(String, String?)] = [("suite", header.suite), ("case", header.caseName)]
        rows += [
            ("target", header.target), ("via", header.via), ("reader", header.reader), ("ATR", header.atr),
        ]
        rows += [("protocol", header.protocolName), ("firmware", header.firmware)]
        rows += [("seed", header.seed.map { String($0) }), ("started", header.started), ("rig", header.rig)]
        var out = ""
        for (key, value) in rows {
            guard let value, !value.isEmpty else { continue }
            out += key + String(repeating: " ", count: 10 - key.count) + visible(value) + "\n"
        }
        if header.showsSecrets { out += "contains secrets: do not pass it on\n" }
        return out
    }

    /// The lines of a record, each with its line feed.
    public mutating func text(of record: TraceRecord) -> String {
        switch record {
        case .exchange(let exchange): return text(of: exchange)
        case .event(let event):
            let fields = event.fields.map { " \($0.key)=\($0.value.string ?? $0.value.text)" }.joined()
            return time(event.microseconds) + "  -- " + visible(event.name + fields) + "\n"
        case .note(let note, let microseconds): return time(microseconds) + "  -- " + visible(note) + "\n"
        case .end(let verdict, let exchanges):
            return "end: \(visible(verdict)), \(exchanges) \(exchanges == 1 ? "exchange" : "exchanges")\n"
        }
    }

    private mutating func text(of exchange: TraceExchange) -> String {
        var out = ""
        if exchange.step != lastStep {
            lastStep = exchange.step
            if !lastStep.isEmpty { out += "\(visible(lastStep))\n" }
        }
        out += "\(time(exchange.start))  \(exchange.number)"
        let bytes = exchange.command.bytes
        let name = exchange.name.isEmpty ? namer(bytes) ?? CommandNames.name(of: bytes) ?? "" : exchange.name
        if !name.isEmpty { out += "  " + visible(name) }
        out += "  > " + exchange.command.text
        let duration = exchange.microseconds.map { "  \(DecimalText.milliseconds($0)) ms" } ?? ""
        switch exchange.outcome {
        case .fault(let word, let detail):
            out +=
                "  < none" + duration + "  \(visible(word))" + (detail.isEmpty ? "" : ": \(visible(detail))")
                + "\n"
        case .response(let response):
            out += "  < " + response.text + duration
            let words = exchange.statusWord.map(meaning) ?? ""
            out += (words.isEmpty ? "" : "  " + words) + "\n"
            if response.hidden.isEmpty, response.bytes.count > 2 {
                for line in decode(exchange.command.bytes, Array(response.bytes.dropLast(2))) {
                    out += "            " + visible(line) + "\n"
                }
            }
        }
        return out
    }

    /// Milliseconds from the start, right-aligned.
    private func time(_ microseconds: Double?) -> String {
        let text = microseconds.map(DecimalText.milliseconds) ?? ""
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }

    /// Text from a file cannot steer a terminal: control characters become visible.
    private func visible(_ text: String) -> String { VisibleText.escaped(text) }
}
