// SPDX-License-Identifier: MIT

public import CardConnection
public import DebugProbe

/// How a real kit is reached: its probe, its board, its debug UART.
public struct KitSetup: Hashable, Sendable {
    /// Which serial device carries the debug UART.
    public enum UART: Hashable, Sendable {
        /// The one of the probe, told by its serial number and place; none for a probe that is not on the USB.
        case ofProbe
        /// A device by path.
        case path(String)
        /// None is read.
        case none
    }

    /// Where the probe is.
    public var probe: ProbeAddress
    /// What is where on the board.
    public var board: BoardProfile
    /// Which serial device carries the debug UART.
    public var uart: UART

    /// Makes a set-up; the default is the kit's own board at the only probe on the USB.
    public init(
        probe: ProbeAddress = .usb(serial: nil),
        board: BoardProfile = .prototypingBoard,
        uart: UART = .ofProbe
    ) {
        self.probe = probe
        self.board = board
        self.uart = uart
    }

    /// Makes the kit; its UART is read from now on, its probe is opened at the first use.
    ///
    /// - Parameters:
    ///   - name: What the kit is called in messages.
    ///   - clock: The time that it lives in.
    /// - Returns: The kit.
    /// - Throws: `TransportFault` of kind `probe` when the UART cannot be opened.
    public func makeKit(
        name: String,
        clock: any RigClock = SystemClock()
    ) throws(TransportFault) -> ProbedKit {
        let probe = probe
        return ProbedKit(name: name, board: board, log: try openLog(clock), clock: clock) {
            () throws(ProbeError) in try probe.open()
        }
    }

    /// The path of the serial device that carries the debug UART; nil when there is none.
    public var uartPath: String? {
        switch uart {
        case .none: return nil
        case .path(let path): return path
        case .ofProbe: return (try? findUART()) ?? nil
        }
    }

    /// Looks for the serial device of the probe.
    ///
    /// - Returns: Its path; nil when the probe has none.
    /// - Throws: `ProbeError` when there is no such probe, or it is not on the USB of this host.
    public func findUART() throws(ProbeError) -> String? {
        if case .network = probe {
            throw ProbeError("the probe at \(probe) is not on this host's USB", kind: .unsupported)
        }
        let found = try ProbeFinder().find(probe)
        return UARTFinder().port(ofProbe: found.serial, at: found.portPath)?.path
    }

    private func openLog(_ clock: any RigClock) throws(TransportFault) -> UARTLog? {
        guard let path = uartPath else { return nil }
        do {
            return try UARTLog(path: path, speed: board.uartSpeed, clock: clock)
        } catch {
            throw TransportFault(.probe, error.description)
        }
    }
}
