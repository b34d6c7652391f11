// SPDX-License-Identifier: MIT

import JSONText

extension TraceRecord {
    /// The record as a line of a trace file, line feed included.
    public var line: String {
        var out = TraceLine()
        write(to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    /// Writes the record as a line.
    func write(to line: inout TraceLine) {
        line.begin()
        switch self {
        case .exchange(let exchange): exchange.write(to: &line)
        case .event(let event): event.write(to: &line)
        case .note(let text, let microseconds):
            line.append("{\"note\":")
            line.append(quoted: text)
            line.appendTime(microseconds)
        case .end(let verdict, let exchanges):
            line.append("{\"end\":")
            line.append(quoted: verdict)
            line.append(",\"exchanges\":")
            line.append(number: exchanges)
        }
        line.finish()
    }

    /// Reads a record from the value of a line.
    ///
    /// - Parameters:
    ///   - json: The value of the line.
    ///   - number: The number of an exchange that has none.
    /// - Throws: ``TraceLineError`` when the value is no record.
    init(json: JSON, number: Int) throws(TraceLineError) {
        guard json.members != nil else { throw TraceLineError("a line must be a JSON object") }
        if let command = json["c"] {
            self = .exchange(try TraceExchange(json: json, command: command, number: number))
        } else if let name = json["event"]?.string {
            let fields = json.members?.filter { $0.key != "event" && $0.key != "t_us" } ?? []
            self = .event(TraceEvent(name, fields: fields, microseconds: json["t_us"]?.double))
        } else if let verdict = json["end"]?.string {
            self = .end(verdict: verdict, exchanges: json["exchanges"]?.integer ?? number - 1)
        } else if let note = json["note"]?.string {
            self = .note(note, microseconds: json["t_us"]?.double)
        } else {
            throw TraceLineError("the line has none of the keys \"c\", \"event\", \"note\" and \"end\"")
        }
    }
}

/// Why a line is no record of a trace.
struct TraceLineError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

extension TraceExchange {
    /// Writes the exchange up to its closing brace.
    fileprivate func write(to line: inout TraceLine) {
        line.append("{\"n\":")
        line.append(number: number)
        line.appendTime(start)
        line.append(",\"c\":")
        line.append(hex: command.bytes, hidden: command.hidden)
        switch outcome {
        case .response(let response):
            line.append(",\"r\":")
            line.append(hex: response.bytes, hidden: response.hidden)
        case .fault(let word, let detail):
            line.append(",\"fault\":", word)
            line.append(",\"detail\":", detail)
        }
        if let microseconds {
            line.append(",\"us\":")
            line.append(microseconds: microseconds)
        }
        if let modelMicroseconds {
            line.append(",\"model_us\":")
            line.append(microseconds: modelMicroseconds)
        }
        if !step.isEmpty { line.append(",\"step\":", step) }
        if !name.isEmpty { line.append(",\"name\":", name) }
    }

    fileprivate init(json: JSON, command: JSON, number: Int) throws(TraceLineError) {
        guard let commandText = command.string, let commandBytes = TracedBytes(text: commandText) else {
            throw TraceLineError("\"c\" must be hex text with two digits a byte, `**` for a hidden one")
        }
        let outcome: Outcome
        if let response = json["r"] {
            guard let text = response.string, let bytes = TracedBytes(text: text) else {
                throw TraceLineError("\"r\" must be hex text with two digits a byte, `**` for a hidden one")
            }
            outcome = .response(bytes)
        } else if let word = json["fault"]?.string {
            outcome = .fault(word, detail: json["detail"]?.string ?? "")
        } else {
            throw TraceLineError("an exchange needs an answer \"r\" or a \"fault\"")
        }
        self.init(number: json["n"]?.integer ?? number, command: commandBytes, outcome: outcome)
        start = json["t_us"]?.double
        microseconds = json["us"]?.double
        modelMicroseconds = json["model_us"]?.double
        step = json["step"]?.string ?? ""
        name = json["name"]?.string ?? ""
    }
}

extension TraceEvent {
    /// Writes the event up to its closing brace.
    fileprivate func write(to line: inout TraceLine) {
        line.append("{\"event\":")
        line.append(quoted: name)
        for field in fields {
            line.append(",")
            line.append(quoted: field.key)
            line.append(":")
            line.append(json: field.value)
        }
        line.appendTime(microseconds)
    }
}

extension TraceLine {
    /// Appends the time of a record where it has one.
    fileprivate mutating func appendTime(_ microseconds: Double?) {
        guard let microseconds else { return }
        append(",\"t_us\":")
        append(microseconds: microseconds)
    }
}
