// SPDX-License-Identifier: MIT

public import CardConnection
import PCSC
public import Runner
import SmartCard

/// A card on a reader of the PC/SC service.
public final class PCSCRoute: Route {
    /// `pcsc:...`, as it was given.
    public let spec: String
    /// False: the card takes its own time.
    public let isVirtualTime = false
    /// False: the card is real.
    public let isEmulated = false
    let selector: ReaderSelector
    private let cardTimeout: Duration
    /// What the other ways of the run have; nil when there are none.
    private let claims: ReaderClaims?

    /// Makes the route from the words behind `pcsc:`.
    public convenience init(spec: String, cardTimeout: Duration = .zero) throws(RouteError) {
        try self.init(spec: spec, cardTimeout: cardTimeout, claims: nil)
    }

    init(spec: String, cardTimeout: Duration, claims: ReaderClaims?) throws(RouteError) {
        self.spec = spec
        self.cardTimeout = cardTimeout
        self.claims = claims
        do {
            selector = try ReaderSelector(String(spec.dropFirst("pcsc:".count)))
        } catch {
            throw RouteError("\(spec): \(error)")
        }
    }

    /// Nil: only a connection can tell.
    public func capabilities(target: String, options: [String: String]) -> Set<Capability>? { nil }

    /// Connects to the card on the reader.
    public func open(_ setup: DeviceSetup) throws(TransportFault) -> OpenedCard {
        var options = PCSCConnection.Options()
        options.exchangeDeadline = setup.exchangeDeadline
        options.cardTimeout = cardTimeout
        let connection = try PCSCConnection(selector, options: options)
        do throws(TransportFault) {
            try claims?.claim(connection.facts.readerName, for: spec)
        } catch {
            connection.close()
            throw error
        }
        return OpenedCard(
            connection: connection,
            clock: SystemClock(),
            capabilities: connection.facts.capabilities,
            firmware: setup.firmware,
            sample: "\(connection.facts.readerName) \(connection.facts.atr.hex)"
        )
    }

    /// Connections close themselves.
    public func close() {}
}
