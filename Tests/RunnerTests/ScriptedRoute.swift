// SPDX-License-Identifier: MIT

import CardConnection
import DevKit
import Runner
import SmartCard
import Synchronization

/// A way to a card that answers by a function, on the host's clock, as a real reader would.
final class ScriptedRoute: Route {
    let spec: String
    let isVirtualTime = false
    let isEmulated: Bool

    /// What a connection does with a command: hex text of the answer; nil blocks until the route is released.
    typealias Behaviour = @Sendable (_ command: String) throws(TransportFault) -> String?

    private struct State {
        var opens = 0
        var commands: [String] = []
        var reconnects = 0
        var closes = 0
        var isReleased = false
    }

    private let state = Mutex(State())
    private let reader: String
    private let kit: (any Kit)?
    private let isSampleNamed: Bool
    private let offered: Set<Capability>?
    private let carried: Set<Capability>
    private let roles: Set<String>
    private let opening: @Sendable (Int) throws(TransportFault) -> Void
    private let closing: @Sendable (Int) -> Void
    private let behaviour: Behaviour

    init(
        spec: String = "fake",
        reader: String = "Fake Reader",
        kit: (any Kit)? = nil,
        isEmulated: Bool = true,
        isSampleNamed: Bool = true,
        offered: Set<Capability>? = nil,
        carried: Set<Capability> = [.fieldControl, .fieldCut],
        roles: Set<String> = [],
        opening: @escaping @Sendable (Int) throws(TransportFault) -> Void = { _ in },
        closing: @escaping @Sendable (Int) -> Void = { _ in },
        behaviour: @escaping Behaviour
    ) {
        self.spec = spec
        self.reader = reader
        self.kit = kit
        self.isEmulated = isEmulated
        self.isSampleNamed = isSampleNamed
        self.offered = offered
        self.carried = carried.union(roles.map(Capability.role))
        self.roles = roles
        self.opening = opening
        self.closing = closing
        self.behaviour = behaviour
    }

    /// How often somebody connected.
    var opens: Int { state.withLock { $0.opens } }
    /// The commands that reached the card.
    var commands: [String] { state.withLock { $0.commands } }
    /// How often a connection was made anew.
    var reconnects: Int { state.withLock { $0.reconnects } }

    /// How many connections were closed.
    var closes: Int { state.withLock { $0.closes } }

    /// Lets blocked calls return.
    func release() { state.withLock { $0.isReleased = true } }

    /// Blocks until the route is released.
    func block() {
        while !state.withLock({ $0.isReleased }) { SystemClock().wait(.milliseconds(5)) }
    }

    func capabilities(target: String, options: [String: String]) -> Set<Capability>? { offered }

    func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
        let number = state.withLock { state in
            state.opens += 1
            return state.opens
        }
        try opening(number)
        func link() -> Link { Link(route: self, deadline: setup.exchangeDeadline, capabilities: carried) }
        var card = OpenedCard(
            connection: link(),
            clock: SystemClock(),
            kit: kit,
            capabilities: carried,
            sample: "sample"
        )
        card.isSampleNamed = isSampleNamed
        if !roles.isEmpty {
            card.openRole = { [roles] role throws(TransportFault) in
                guard roles.contains(role) else { throw TransportFault(.control, "no role '\(role)'") }
                return link()
            }
        }
        return card
    }

    func close() {}

    private func answer(_ command: String) throws(TransportFault) -> String {
        state.withLock { $0.commands.append(command) }
        if let answer = try behaviour(command) { return answer }
        block()
        return "9000"
    }

    private final class Link: Connection {
        let facts: ConnectionFacts
        var exchangeDeadline: Duration
        private let route: ScriptedRoute

        init(route: ScriptedRoute, deadline: Duration, capabilities: Set<Capability>) {
            self.route = route
            exchangeDeadline = deadline
            facts = ConnectionFacts(
                readerName: route.reader,
                atr: [0x3B, 0x80, 0x80, 0x01, 0x01],
                protocolName: "T=1",
                capabilities: capabilities
            )
        }

        func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
            let text = try route.answer(command.hex)
            return (try? HexText.bytes(text)) ?? []
        }

        func reset(_ kind: ResetKind) throws(TransportFault) {}
        func setField(_ state: FieldState) throws(TransportFault) {}
        func reconnect() throws(TransportFault) { route.state.withLock { $0.reconnects += 1 } }

        func close() {
            let number = route.state.withLock { state in
                state.closes += 1
                return state.closes
            }
            route.closing(number)
        }
    }
}
