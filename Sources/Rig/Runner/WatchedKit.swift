// SPDX-License-Identifier: MIT

import CardConnection
import DevKit

/// A kit whose calls a supervisor can see: a probe or a program that hangs costs its case, not the run.
final class WatchedKit: Kit {
    let name: String
    private let inner: any Kit
    private let calls: OutsideCalls
    private let limit: Duration
    private let detail: String

    /// Puts a watch on a kit.
    ///
    /// - Parameters:
    ///   - inner: The kit.
    ///   - calls: The outside calls of the thread that uses it.
    ///   - limit: How long a call may take.
    init(_ inner: any Kit, calls: OutsideCalls, limit: Duration) {
        self.inner = inner
        self.calls = calls
        self.limit = limit
        name = inner.name
        let (seconds, attoseconds) = limit.components
        detail =
            "the \(inner.name) did not answer in \(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }

    var eye: String { inner.eye }

    func pressButton() throws(TransportFault) {
        try calls.perform(limit, detail) { () throws(TransportFault) in try inner.pressButton() }
    }

    func led() throws(TransportFault) -> LEDState {
        try calls.perform(limit, detail) { () throws(TransportFault) in try inner.led() }
    }

    func lookAtLED() throws(TransportFault) -> LEDLook {
        try calls.perform(limit, detail) { () throws(TransportFault) in try inner.lookAtLED() }
    }

    func reset() throws(TransportFault) {
        try calls.perform(limit, detail) { () throws(TransportFault) in try inner.reset() }
    }

    func holdReset(_ isHeld: Bool) throws(TransportFault) {
        try calls.perform(limit, detail) { () throws(TransportFault) in try inner.holdReset(isHeld) }
    }

    func letGo() throws(TransportFault) {
        try calls.perform(limit, detail) { () throws(TransportFault) in try inner.letGo() }
    }

    func uartLines(since index: Int) -> [UARTLine] {
        calls.perform(limit, detail) { inner.uartLines(since: index) }
    }

    var uartLineCount: Int { calls.perform(limit, detail) { inner.uartLineCount } }

    func checkUART() throws(TransportFault) {
        try calls.perform(limit, detail) { () throws(TransportFault) in try inner.checkUART() }
    }

    func settle() {
        calls.perform(limit, detail) { inner.settle() }
    }
}
