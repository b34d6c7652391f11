// SPDX-License-Identifier: MIT

public import CardConnection
public import HostSystem
public import JSONText

/// Writes a trace file, one `write` a line, so that a run that is killed keeps every finished exchange.
///
/// The first line that could not be written is kept as ``failure`` and no further line is tried: the run goes on and
/// reports it. One thread at a time.
public final class TraceWriter {
    /// Label and title of the present step, for example `setup.1 select`; empty between steps.
    public var step: String = "" {
        didSet {
            stepText.begin()
            if !step.isEmpty { stepText.append(",\"step\":", step) }
        }
    }

    /// Number of exchanges so far, faults included.
    public private(set) var exchangeCount = 0
    /// Times of the exchanges that were answered.
    public private(set) var times = DurationSeries()
    /// Why the file is not complete; nil while it is.
    public private(set) var failure: FileError?
    /// The file.
    public let path: String
    /// SHA-256 of the closed file in lower-case hex; empty before, and when the file is not complete.
    public private(set) var sha256 = ""

    private let file: OutputFile?
    private var line = TraceLine()
    private var stepText = TraceLine()

    /// Goes on with a trace that an earlier writer of this process left; exchanges are numbered on.
    ///
    /// - Parameter path: The file; the lines in it stay as they are.
    public init(continuing path: String) {
        self.path = path
        do {
            file = try OutputFile(appendingTo: path)
            let reader = try? TraceReader(path: path)
            // What cannot be read back costs the numbering only, never the exchanges to come.
            while let record = try? reader?.next() {
                if case .exchange(let exchange) = record { exchangeCount = exchange.number }
            }
        } catch {
            file = nil
            failure = error
        }
    }

    /// Makes a trace file and writes its header.
    public init(path: String, header: TraceHeader) {
        self.path = path
        do {
            file = try OutputFile(path: path)
        } catch {
            file = nil
            failure = error
        }
        header.write(to: &line)
        flush()
    }

    /// Writes an exchange that was answered.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - response: Data and status word.
    ///   - start: Start of the exchange, from the start of the trace.
    ///   - duration: Time of the exchange.
    ///   - model: The time that the emulator's model gives, where it is another one.
    ///   - name: Name of the command.
    ///   - hiddenInCommand: What of the command is masked, in ascending ranges that do not touch.
    ///   - hiddenInResponse: What of the answer is masked.
    public func exchange(
        command: [UInt8],
        response: [UInt8],
        start: Duration,
        duration: Duration,
        model: Duration? = nil,
        name: String? = nil,
        hiddenInCommand: [Range<Int>] = [],
        hiddenInResponse: [Range<Int>] = []
    ) {
        begin(command: command, hidden: hiddenInCommand, start: start)
        line.append(",\"r\":")
        line.append(hex: response, hidden: hiddenInResponse)
        line.append(",\"us\":")
        line.append(microseconds: duration)
        if let model {
            line.append(",\"model_us\":")
            line.append(microseconds: model)
        }
        finish(name: name)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        times.add(
            nanoseconds: nanoseconds.overflow ? .max : nanoseconds.partialValue &+ attoseconds / 1_000_000_000
        )
    }

    /// Writes a command that got no usable answer.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - fault: What happened; its text must be masked already.
    ///   - start: Start of the exchange, from the start of the trace.
    ///   - duration: Time until the fault.
    ///   - name: Name of the command.
    ///   - hiddenInCommand: What of the command is masked.
    public func fault(
        command: [UInt8],
        fault: TransportFault,
        start: Duration,
        duration: Duration,
        name: String? = nil,
        hiddenInCommand: [Range<Int>] = []
    ) {
        begin(command: command, hidden: hiddenInCommand, start: start)
        line.append(",\"fault\":", fault.kind.rawValue)
        line.append(",\"detail\":", fault.detail)
        line.append(",\"us\":")
        line.append(microseconds: duration)
        finish(name: name)
    }

    /// Writes something that happened between exchanges.
    ///
    /// - Parameters:
    ///   - name: What happened.
    ///   - fields: More about it, in order.
    ///   - time: When, from the start of the trace.
    public func event(_ name: String, fields: [JSON.Member] = [], time: Duration?) {
        write(.event(TraceEvent(name, fields: fields, microseconds: time.map(Self.microseconds))))
    }

    /// Writes a remark.
    public func note(_ text: String, time: Duration? = nil) {
        write(.note(text, microseconds: time.map(Self.microseconds)))
    }

    /// Writes the last line; nothing may follow it but ``finish()``.
    public func end(verdict: String) {
        write(.end(verdict: verdict, exchanges: exchangeCount))
    }

    /// Closes the file.
    ///
    /// - Returns: SHA-256 of the file in lower-case hex; empty when it is not complete.
    @discardableResult
    public func finish() -> String {
        guard let file, failure == nil else { return "" }
        do {
            try file.finish()
            sha256 = try FileDigest.sha256(path)
        } catch {
            failure = error
        }
        return sha256
    }

    /// Median, 95th percentile (nearest rank) and maximum of the answered exchanges in microseconds; nil without any.
    public var timing: (p50: Double, p95: Double, max: Double)? {
        guard let p50 = times.percentile(50), let p95 = times.percentile(95) else { return nil }
        return (Double(p50) / 1000, Double(p95) / 1000, Double(times.maximum) / 1000)
    }

    private func begin(command: [UInt8], hidden: [Range<Int>], start: Duration) {
        exchangeCount += 1
        line.begin()
        line.append("{\"n\":")
        line.append(number: exchangeCount)
        line.append(",\"t_us\":")
        line.append(microseconds: start)
        line.append(",\"c\":")
        line.append(hex: command, hidden: hidden)
    }

    private func finish(name: String?) {
        line.append(prepared: stepText.bytes)
        line.append(",\"name\":", name)
        line.finish()
        flush()
    }

    private func write(_ record: TraceRecord) {
        record.write(to: &line)
        flush()
    }

    private func flush() {
        guard failure == nil, let file else { return }
        do {
            try file.write(line.bytes)
        } catch {
            failure = error
        }
    }

    private static func microseconds(_ duration: Duration) -> Double {
        Double(TraceLine.tenths(of: duration)) / 10
    }
}
