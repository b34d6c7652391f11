// SPDX-License-Identifier: MIT

import Glibc

/// Why a serial device could not be opened.
public struct SerialPortError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence: what, where, what to do.
    public let description: String
}

/// An open serial device in raw mode: 8 data bits, no parity, 1 stop bit, no handshake, no echo.
struct SerialPort: ~Copyable {
    private var descriptor: Int32

    /// What a read brought.
    enum Arrival {
        case bytes([UInt8])
        case nothing
        /// The device is gone.
        case ended(String)
    }

    init(path: String, speed: Int) throws(SerialPortError) {
        guard let rate = Self.rates.first(where: { $0.speed == speed })?.word else {
            throw SerialPortError(description: "a serial device has no speed of \(speed) bits a second")
        }
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.trouble(path, errno) }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            let number = errno
            Glibc.close(descriptor)
            throw Self.trouble(path, number)
        }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        settings.c_cflag &= ~tcflag_t(CSTOPB | PARENB)
        cfsetispeed(&settings, rate)
        cfsetospeed(&settings, rate)
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            let number = errno
            Glibc.close(descriptor)
            throw Self.trouble(path, number)
        }
        // What came before belongs to nobody who listens from now on.
        tcflush(descriptor, TCIFLUSH)
        self.descriptor = descriptor
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Hands the descriptor over to somebody who closes it.
    consuming func take() -> Int32 {
        let out = descriptor
        descriptor = -1
        return out
    }

    /// Waits for bytes.
    static func read(_ descriptor: Int32, timeout: Duration) -> Arrival {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(timeout / .milliseconds(1))) > 0 else { return .nothing }
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { return .bytes(Array(buffer.prefix(count))) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
        return .ended(count == 0 ? "the device was closed" : String(cString: strerror(errno)))
    }

    /// The speeds that are known, with the system's word for each.
    static let rates: [(speed: Int, word: speed_t)] = [
        (9600, speed_t(B9600)), (19_200, speed_t(B19200)), (38_400, speed_t(B38400)),
        (57_600, speed_t(B57600)), (115_200, speed_t(B115200)), (230_400, speed_t(B230400)),
        (460_800, speed_t(B460800)), (921_600, speed_t(B921600)),
    ]

    private static func trouble(_ path: String, _ number: Int32) -> SerialPortError {
        let hint =
            switch number {
            case EACCES, EPERM: "; add this user to the group dialout, and log in again"
            case ENOENT: "; plug the kit in, or name another device"
            case ENOTTY: "; it is no serial device"
            case EBUSY: "; end the terminal program that has it"
            default: ""
            }
        return SerialPortError(
            description: "cannot read \(path): \(String(cString: strerror(number)))\(hint)"
        )
    }
}
