// SPDX-License-Identifier: MIT

import CardConnection
import Foundation
import Glibc
import HostSystem
import Testing

@testable import DevKit

/// The debug UART, played by a pseudo terminal, and its place in sysfs.
@Suite struct SerialPortTests {
    /// A pseudo terminal: what is written to the one end can be read from the other.
    private struct Terminal: ~Copyable {
        let descriptor: Int32
        let path: String

        /// `TIOCSPTLCK` and `TIOCGPTN` of Linux, which the C library hides behind macros.
        private static let setLock: UInt = 0x4004_5431
        private static let getNumber: UInt = 0x8004_5430

        init() throws {
            descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var isLocked: Int32 = 0
            var number: UInt32 = 0
            try #require(descriptor >= 0)
            try #require(ioctl(descriptor, Self.setLock, &isLocked) == 0)
            try #require(ioctl(descriptor, Self.getNumber, &number) == 0)
            path = "/dev/pts/\(number)"
        }

        deinit { close(descriptor) }

        func write(_ text: String) {
            _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Lets the reading thread come to what a condition waits for; ten seconds at most.
    private func settle(_ condition: () -> Bool) -> Bool {
        let end = MonotonicTime.now + .seconds(10)
        while !condition(), MonotonicTime.now < end { sched_yield() }
        return condition()
    }

    @Test func `Lines of a serial device arrive, raw and without echo`() throws {
        let terminal = try Terminal()
        let log = try UARTLog(path: terminal.path)
        defer { log.close() }
        terminal.write("[NBT example] [INFO   ] LED turned ON\r\nsecond\u{3}line\n")
        #expect(settle { log.lines(since: 0).count == 2 })
        #expect(
            log.lines(since: 0).map(\.line) == ["[NBT example] [INFO   ] LED turned ON", "second\u{3}line"]
        )
        #expect(log.ending == nil)
        var settings = termios()
        #expect(tcgetattr(terminal.descriptor, &settings) == 0)
        #expect(cfgetispeed(&settings) == speed_t(B115200))
        #expect(settings.c_lflag & tcflag_t(ECHO | ICANON) == 0)
        #expect(settings.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8))
    }

    @Test func `Lines from before the log was opened are not its lines`() throws {
        let terminal = try Terminal()
        let other = open(terminal.path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        defer { close(other) }
        var waiting = pollfd(fd: other, events: Int16(POLLIN), revents: 0)
        terminal.write("old\nolder\n")
        try #require(poll(&waiting, 1, 10_000) == 1)
        let log = try UARTLog(path: terminal.path)
        defer { log.close() }
        terminal.write("new\n")
        #expect(settle { !log.lines(since: 0).isEmpty })
        #expect(log.lines(since: 0).map(\.line) == ["new"])
    }

    @Test func `A device that goes away ends the log with a reason`() throws {
        let log: UARTLog
        do {
            let terminal = try Terminal()
            log = try UARTLog(path: terminal.path)
        }
        try log.check(since: 0)
        #expect(settle { log.ending != nil })
        let fault = #expect(throws: TransportFault.self) { try log.check(since: 0) }
        #expect(fault?.kind == .probe)
        #expect(fault?.detail.hasPrefix("the kit's log cannot be read from \(log.path) any more: ") == true)
    }

    @Test func `A log that gets no thread has ended, and lets the device go`() throws {
        let terminal = try Terminal()
        let log = UARTLog(path: terminal.path, clock: SystemClock(), keeping: 1 << 20)
        log.start(try SerialPort(path: terminal.path, speed: 9600)) { _ in "no threads left" }
        #expect(log.ending == "no thread can be started to read it (no threads left)")
        // The other end is hung up once nobody has the device open.
        var entry = pollfd(fd: terminal.descriptor, events: 0, revents: 0)
        #expect(poll(&entry, 1, 10_000) == 1)
    }

    @Test func `What cannot be opened is told with what to do`() throws {
        func text(_ path: String, speed: Int = 115_200) -> String? {
            let error = #expect(throws: SerialPortError.self) { try UARTLog(path: path, speed: speed) }
            return error?.description
        }
        #expect(text("/dev/no-such-device")?.contains("plug the kit in") == true)
        #expect(text("/dev/null")?.contains("it is no serial device") == true)
        #expect(text("/dev/null", speed: 12_345)?.contains("no speed of 12345 bits a second") == true)
    }

    @Test func `The device of a probe is found by serial number, whatever its own number is`() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        for (place, tty, serial) in [("1-2", "ttyACM1", "AAAA"), ("1-3", "ttyACM0", "BBBB")] {
            let device = root.appendingPathComponent("sys/devices/usb1/\(place)")
            for (interface, name) in [("02", tty), ("04", "\(tty)9")] {
                let folder = device.appendingPathComponent("\(place):1.\(interface.dropFirst())")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try "\(interface)\n".write(
                    to: folder.appendingPathComponent("bInterfaceNumber"),
                    atomically: true,
                    encoding: .utf8
                )
                let entry = root.appendingPathComponent("sys/class/tty/\(name)")
                try FileManager.default.createDirectory(at: entry, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    at: entry.appendingPathComponent("device"),
                    withDestinationURL: folder
                )
            }
            for (file, text) in [("idVendor", "04b4"), ("serial", serial)] {
                try "\(text)\n".write(
                    to: device.appendingPathComponent(file),
                    atomically: true,
                    encoding: .utf8
                )
            }
        }
        let finder = UARTFinder(root: root.path)
        #expect(finder.ports().count == 4)
        #expect(finder.port(ofProbe: "AAAA")?.path == "\(root.path)/dev/ttyACM1")
        #expect(finder.port(ofProbe: "AAAA")?.interface == 2)
        #expect(finder.port(ofProbe: "BBBB")?.path == "\(root.path)/dev/ttyACM0")
        #expect(finder.port(ofProbe: "CCCC") == nil)
        #expect(finder.port(ofProbe: "") == nil)
        let second = try #require(finder.port(ofProbe: "BBBB"))
        #expect(finder.port(ofProbe: "AAAA", at: second.portPath) == second)
        #expect(finder.port(ofProbe: "AAAA", at: "9-9") == nil)
    }
}
