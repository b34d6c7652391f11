// SPDX-License-Identifier: MIT

import DevKitEmulator
import Glibc
import VirtualReader

/// Orders to `taprig kit emulate` by lines on its standard input: what a hand would do to the device.
///
/// Each one is repeated on standard output when it is done.
struct KitEmulateOrders {
    private let probe: EmulatedProbe
    private let client: VirtualCardClient?
    private var line: [UInt8] = []
    private var isAtEnd = false

    /// Bytes of a line at most; a longer one is nonsense.
    private static let lineLimit = 256
    /// How long the reader may take to let the card go, or to take it.
    private static let fieldLimit = Duration.seconds(3)

    init(probe: EmulatedProbe, client: VirtualCardClient?) {
        self.probe = probe
        self.client = client
    }

    /// Takes what has come in the meantime; does not wait.
    mutating func takeWaiting() {
        var buffer = [UInt8](repeating: 0, count: Self.lineLimit)
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while !isAtEnd, poll(&entry, 1, 0) > 0 {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 else {
                isAtEnd = true
                return
            }
            for byte in buffer[0..<count] {
                if byte == 0x0A {
                    carryOut(String(decoding: line, as: UTF8.self))
                    line = []
                } else if line.count < Self.lineLimit {
                    line.append(byte)
                }
            }
        }
    }

    private func carryOut(_ text: String) {
        let words = text.split(separator: " ").joined(separator: " ")
        switch words {
        case "": return
        case "press": probe.kit.pressButton()
        case "reset": probe.kit.reset()
        case "unplug": probe.unplug()
        case "field off" where client != nil: setField(isOn: false)
        case "field on" where client != nil: setField(isOn: true)
        default:
            Console.complain(
                "'\(words)' is no order; there are press, reset, unplug, and with --nfc field off, field on"
            )
            return
        }
        Console.say("done: \(words)")
    }

    private func setField(isOn: Bool) {
        if isOn { client?.insert() } else { client?.remove() }
        client?.wait(timeout: Self.fieldLimit) { state in
            isOn ? state.isConnected : !state.isConnected && !state.isPowered
        }
    }
}
