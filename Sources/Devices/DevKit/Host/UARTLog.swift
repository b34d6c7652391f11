// SPDX-License-Identifier: MIT

public import CardConnection
import Glibc
import Synchronization

/// Collects the lines of a debug UART, on a thread of its own.
public final class UARTLog: Sendable {
    /// The device that is read.
    public let path: String

    /// The speeds that a device can be set to, in bits a second.
    public static let speeds = SerialPort.rates.map(\.speed)

    private let clock: any RigClock
    private let state: Mutex<State>

    private struct State {
        var lines: [UARTLine] = []
        /// Bytes of a line that has not ended, and when its first one came.
        var open: [UInt8] = []
        var openSince: Duration?
        var isClosed = false
        var ending: String?
    }

    /// A line longer than this is cut.
    private static let longestLine = 4096
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
        self.init(path: path, clock: clock)
        start(port)
    }

    /// Makes a log that is fed by hand.
    init(path: String, clock: any RigClock) {
        self.path = path
        self.clock = clock
        state = Mutex(State())
    }

    /// The lines from an index on.
    public func lines(since index: Int) -> [UARTLine] {
        state.withLock { Array($0.lines.dropFirst(max(0, index))) }
    }

    /// Why no more lines come; nil while the device is read.
    public var ending: String? { state.withLock { $0.ending } }

    /// Ends the reading soon.
    public func close() {
        state.withLock { $0.isClosed = true }
    }

    private func start(_ port: consuming SerialPort) {
        let descriptor = port.take()
        let clock = clock
        let thread = ReaderThread { [weak self] in
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
        thread.start()
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
                    Self.finish(&state, at: time)
                    continue
                }
                if state.open.isEmpty { state.openSince = time }
                state.open.append(byte)
                if state.open.count >= Self.longestLine { Self.finish(&state, at: time) }
            }
        }
    }

    private static func finish(_ state: inout State, at time: Duration) {
        var bytes = state.open[...]
        while bytes.last == carriageReturn { bytes = bytes.dropLast() }
        // A line may begin with the carriage return of the one before.
        while bytes.first == carriageReturn { bytes = bytes.dropFirst() }
        let line = String(decoding: bytes, as: UTF8.self)
        state.lines.append(UARTLine(time: state.openSince ?? time, line: line))
        state.open = []
        state.openSince = nil
    }
}
