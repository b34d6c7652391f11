// SPDX-License-Identifier: MIT

import HostSystem
import JSONText

/// Reads a trace file record by record.
///
/// Unknown keys are ignored. A last line that the death of a run tore is left out and said so by ``isTorn``. A file
/// without a header (a neutral trace: one exchange a line) is taken as well.
public final class TraceReader {
    /// The header; nil when the file has none.
    public private(set) var header: TraceHeader?
    /// True when the last line was cut in the middle and left out; known once the end was reached.
    public private(set) var isTorn = false
    /// Line of the record that was read last, from 1.
    public private(set) var line = 0

    private let name: String
    private let source: LineSource
    private var pending: TraceRecord?
    private var number = 1
    private var hasRecords = false

    /// Opens a trace file and reads its header.
    ///
    /// - Throws: ``TraceError`` when the file cannot be read or its first line is no part of a trace.
    public convenience init(path: String) throws(TraceError) {
        let source: LineSource
        do {
            source = try LineSource(path: path)
        } catch {
            throw TraceError(file: path, line: nil, message: error.description)
        }
        try self.init(source: source, name: path)
    }

    /// Reads a trace from memory.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - name: The name of the file in errors.
    /// - Throws: ``TraceError`` when the first line is no part of a trace.
    public convenience init(bytes: [UInt8], name: String) throws(TraceError) {
        try self.init(source: LineSource(bytes: bytes), name: name)
    }

    private init(source: LineSource, name: String) throws(TraceError) {
        self.source = source
        self.name = name
        guard let json = try nextValue() else { return }
        guard let header = TraceHeader(json: json) else {
            pending = try record(json)
            return
        }
        guard (1...TraceHeader.formatVersion).contains(header.version) else {
            throw error(
                "this trace has format \(header.version), a later one than this program knows; update it"
            )
        }
        self.header = header
    }

    /// The next record; nil at the end.
    public func next() throws(TraceError) -> TraceRecord? {
        if let record = pending {
            pending = nil
            return record
        }
        guard let json = try nextValue() else { return nil }
        return try record(json)
    }

    /// All records that are left.
    public func rest() throws(TraceError) -> [TraceRecord] {
        var out: [TraceRecord] = []
        while let record = try next() { out.append(record) }
        return out
    }

    private func record(_ json: JSON) throws(TraceError) -> TraceRecord {
        let isFirst = header == nil && !hasRecords
        hasRecords = true
        do {
            let record = try TraceRecord(json: json, number: number)
            if case .exchange(let exchange) = record {
                number = exchange.number < Int.max ? exchange.number + 1 : exchange.number
            }
            return record
        } catch {
            throw self.error(isFirst ? "this is no trace: \(error.message)" : error.message)
        }
    }

    /// The value of the next line that is not blank.
    private func nextValue() throws(TraceError) -> JSON? {
        while true {
            let next: LineSource.Line?
            do {
                next = try source.next()
            } catch {
                line += 1
                switch error {
                case .file(let cause): throw TraceError(file: name, line: nil, message: cause.description)
                case .tooLong:
                    throw self.error(
                        "the line is longer than \(LineSource.lengthLimit) bytes; is this a trace?"
                    )
                }
            }
            guard let next else { return nil }
            line += 1
            if next.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            do {
                return try JSON(parsing: next.bytes)
            } catch {
                guard next.isEnded else {
                    isTorn = true
                    return nil
                }
                throw self.error(
                    "\(error.message); a trace has one JSON object a line",
                    column: error.column
                )
            }
        }
    }

    private func error(_ message: String, column: Int = 1) -> TraceError {
        TraceError(file: name, line: line, column: column, message: message)
    }
}
