// SPDX-License-Identifier: MIT

import CardConnection
import PCSC
import Testing
import VirtualReader

/// Tests against a real PC/SC service; one at a time, since they share its two readers.
@Suite("Against a real service", .serialized, .enabled(if: TestService.isThere, "run by ci/with-pcscd"))
enum ServicePcscdTests {}

/// A card in the first virtual reader, for the length of a test.
struct Bench: ~Copyable {
    static let reader = "Virtual PCD 00 00"

    let card: BenchCard
    let client: VirtualCardClient

    init(card: BenchCard = BenchCard(), port: UInt16 = VirtualCardClient.firstPort) {
        self.card = card
        client = VirtualCardClient(card: card, port: port)
        client.start()
    }

    deinit {
        client.stop()
        TestService.waitUntilEmpty()
    }

    /// A connection over PC/SC that other connections may share.
    func connect(
        _ change: (inout PCSCConnection.Options) -> Void = { _ in }
    ) throws(TransportFault) -> PCSCConnection {
        var options = PCSCConnection.Options()
        options.cardTimeout = .seconds(3)
        options.holdsTransaction = false
        change(&options)
        return try PCSCConnection(readerName: Self.reader, options: options)
    }
}

/// The fault that a piece of work ends with, or nil.
func fault(of work: () throws(TransportFault) -> Void) -> TransportFault? {
    do throws(TransportFault) {
        try work()
        return nil
    } catch {
        return error
    }
}
