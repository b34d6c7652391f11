// SPDX-License-Identifier: MIT

public import CardConnection
import Glibc
import HostSystem
import Synchronization

/// Collects the lines of a debug UART, on a thread of its own.
///
/// The newest lines are kept, about 16 MiB of them: at 115200 bits a second more than twenty minutes without a pause.
public final class UARTLog: Sendable {
    /// The device that is read.
    public let path: String

    /// The speeds that a device can be set to, in bits a second.
    public static let speeds = SerialPort.rates.map(\.speed)

    private let clock: any RigClock
    private let limit: Int
    private let state: Mutex<State>

    private struct State {
        var lines: [UARTLine] = []
        /// How many lines came before these and are not kept any more.
        var dropped = 0
        /// Memory of the lines.
        var bytes = 0
        /// Bytes of a line that has not ended, and when its first one came.
        var open: [UInt8] = []
        var openSince: Duration?
        var isClosed = false
        var ending: String?
    }

    /// A line longer than this is cut.
    private static let longestLine = 4096
    /// Memory for lines.
    private static let keptBytes = 16 << 20
    private static let lineEnd: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D

    /// Opens a serial device and reads it from now on.
    ///
    /// - Parameters:
    ///   - path: The device, for example `/dev/ttyACM0`.
    ///   - speed: Bits a second.
    ///   - clock: The time of the lines.
    /// - Throws: ``SerialPortError`` when it cannot be opened.
    public convenience init(
        path: String,
        speed: Int = 115_200,
        clock: any RigClock = SystemClock()
    ) throws(SerialPortError) {
        let port = try SerialPort(path: path, speed: speed)
        self.init(path: path, clock: clock, keeping: Self.keptBytes)
        start(port)
    }

    /// Makes a log that is fed by hand.
    init(path: String, clock: any RigClock, keeping limit: Int) {
        self.path = path
        self.clock = clock
        self.limit = limit
        state = Mutex(State())
    }

    /// The lines from an index on, as far as they are kept; the first line ever has index 0.
    public func lines(since index: Int) -> [UARTLine] {
        state.withLock { Array($0.lines.dropFirst(max(0, index - $0.dropped))) }
    }

    /// How many lines came since the device was opened.
    public var lineCount: Int { state.withLock { $0.dropped + $0.lines.count } }

    /// Sees that all lines from an index on are there: of one that is missing, nobody knows whether it came.
    ///
    /// - Throws: `TransportFault` of kind `probe` when the device is gone, or when some are not kept any more.
    func check(since index: Int) throws(TransportFault) {
        let (ending, dropped) = state.withLock { ($0.ending, $0.dropped) }
        if let ending {
            throw TransportFault(
                .probe,
                "the kit's log cannot be read from \(path) any more: \(ending)",
                hint: "plug the kit in, and start the run anew"
            )
        }
        guard dropped <= max(0, index) else {
            throw TransportFault(
                .probe,
                "the kit's log is longer than what is kept of it (lines gone: \(dropped - max(0, index)))",
                hint: "make the case shorter, or let the firmware log less"
            )
        }
    }

    /// Why no more lines come; nil while the device is read.
    public var ending: String? { state.withLock { $0.ending } }

    /// Ends the reading soon.
    public func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Reads a device from now on.
    ///
    /// - Parameters:
    ///   - port: The device.
    ///   - launch: Starts a thread, or tells why there is none.
    func start(
        _ port: consuming SerialPort,
        by launch: (@escaping @Sendable () -> Void) -> String? = { HostThread.start($0) }
    ) {
        let descriptor = port.take()
        let clock = clock
        let refusal = launch { [weak self] in
            defer { Glibc.close(descriptor) }
            while true {
                guard let log = self, !log.isClosed else { return }
                switch SerialPort.read(descriptor, timeout: .milliseconds(50)) {
                case .bytes(let bytes): log.take(bytes, at: clock.now)
                case .nothing: continue
                case .ended(let reason): return log.end(reason)
                }
            }
        }
        if let refusal {
            Glibc.close(descriptor)
            end("no thread can be started to read it (\(refusal))")
        }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func end(_ reason: String) {
        state.withLock { $0.ending = reason }
    }

    /// Takes bytes that came; a line counts from the arrival of its first byte.
    func take(_ bytes: [UInt8], at time: Duration) {
        state.withLock { state in
            for byte in bytes {
                if byte == Self.lineEnd {
                    finish(&state, at: time)
                    continue
                }
                if state.open.isEmpty { state.openSince = time }
                state.open.append(byte)
                if state.open.count >= Self.longestLine { finish(&state, at: time) }
            }
        }
    }

    private func finish(_ state: inout State, at time: Duration) {
        var bytes = state.open[...]
        while bytes.last == Self.carriageReturn { bytes = bytes.dropLast() }
        // A line may begin with the carriage return of the one before.
        while bytes.first == Self.carriageReturn { bytes = bytes.dropFirst() }
        let line = UARTLine(time: state.openSince ?? time, line: String(decoding: bytes, as: UTF8.self))
        state.lines.append(line)
        state.bytes += Self.size(of: line)
        state.open = []
        state.openSince = nil
        if state.bytes > limit { dropOldest(&state) }
    }

    /// Makes room for a while: a drop at each line would move all the others.
    private func dropOldest(_ state: inout State) {
        var count = 0
        while state.bytes > limit / 4 * 3, count < state.lines.count {
            state.bytes -= Self.size(of: state.lines[count])
            count += 1
        }
        state.lines.removeFirst(count)
        state.dropped += count
    }

    private static func size(of line: UARTLine) -> Int {
        MemoryLayout<UARTLine>.stride + line.source.utf8.count + line.level.utf8.count + line.text.utf8.count
    }
}
