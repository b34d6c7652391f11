// SPDX-License-Identifier: MIT

import DevKit
import Glibc

/// The debug UART of an ``EmulatedKit`` as a serial device of this host: one end of a pseudo-terminal.
///
/// Belongs to one thread.
public final class KitTerminal {
    /// The device that a terminal program opens, for example `/dev/pts/3`.
    public let path: String

    private let kit: EmulatedKit
    private let descriptor: Int32
    /// The other end is kept open, or the kernel would take this one for hung up between two programs.
    private let device: Int32
    private var lineCount: Int
    private var waiting: [UInt8] = []

    /// Bytes that wait for a reader at most; a UART has no memory either.
    private static let waitingLimit = 1 << 20

    /// `TIOCSPTLCK` and `TIOCGPTN` of Linux, which the C library hides behind macros.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Makes the device; what the kit said before is not sent.
    ///
    /// - Parameter kit: The kit to listen to.
    /// - Throws: ``ProbeServerError`` when the host has no pseudo-terminal left.
    public init(kit: EmulatedKit) throws(ProbeServerError) {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure }
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard ioctl(descriptor, Self.setLock, &isLocked) == 0, ioctl(descriptor, Self.getNumber, &number) == 0
        else {
            Glibc.close(descriptor)
            throw Self.failure
        }
        path = "/dev/pts/\(number)"
        let device = open(path, O_RDWR | O_NOCTTY)
        guard device >= 0 else {
            Glibc.close(descriptor)
            throw Self.failure
        }
        var settings = termios()
        tcgetattr(device, &settings)
        cfmakeraw(&settings)
        tcsetattr(device, TCSANOW, &settings)
        for handle in [descriptor, device] { _ = fcntl(handle, F_SETFD, FD_CLOEXEC) }
        self.kit = kit
        self.descriptor = descriptor
        self.device = device
        lineCount = kit.uartLineCount
    }

    deinit {
        Glibc.close(device)
        Glibc.close(descriptor)
    }

    private static var failure: ProbeServerError {
        ProbeServerError("no pseudo-terminal can be made (errno \(errno)); see that /dev/pts is mounted")
    }

    /// Sends what the kit has said since the last call, as far as the device takes it.
    public func send() {
        let lines = kit.uartLines(since: lineCount)
        lineCount += lines.count
        for line in lines { waiting += Array(line.line.utf8) + [0x0D, 0x0A] }
        let count = waiting.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { waiting.removeFirst(count) }
        if waiting.count > Self.waitingLimit { waiting = [] }
    }
}
