// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard

extension PCSCConnection {
    /// The control code that passes bytes to the reader itself: `SCARD_CTL_CODE(1)` of libccid.
    private static let escape: UInt32 = 0x4200_0001
    /// How long a card may take to be seen as gone.
    private static let departureLimit = Duration.seconds(2)

    /// Brings the field into a state by the way that the options and the reader allow.
    func switchField(_ state: FieldState) throws(TransportFault) {
        if facts.capabilities.contains(.fieldControl) {
            try manageSession(state)
        } else if facts.capabilities.contains(.fieldUnpower) {
            // To switch on needs no more than the connect that follows.
            if state == .off { drop(.unpower) }
        } else {
            throw TransportFault(
                .control,
                "the reader '\(facts.readerName)' cannot switch its field \(state.rawValue)",
                hint:
                    "libccid passes the command only when bit 0 of ifdDriverOptions (escape) is set in its Info.plist;"
                    + " 'taprig doctor' shows the switch"
            )
        }
    }

    private func manageSession(_ state: FieldState) throws(TransportFault) {
        // The handle lasts across the missing card, so that the session is not ended by closing it.
        let handle = card
        let refusal = FieldSwitch.set(state) { command in
            // With a card the command goes the way of an APDU; without one only the escape is left.
            if state == .off, let handle, let answer = try? handle.transmit(command) { return answer }
            if let handle, let answer = try? handle.control(Self.escape, command) { return answer }
            return direct(command)
        }
        if let refusal {
            let answer = refusal.answer.map { "answered \($0.hex)" } ?? "was not passed"
            throw TransportFault(
                .control,
                "the reader '\(facts.readerName)' did not switch its field \(state.rawValue): "
                    + "\(refusal.command.hex) \(answer)",
                hint: "libccid passes it without a card only when bit 0 of ifdDriverOptions (escape) is set;"
                    + " 'taprig doctor' shows the switch"
            )
        }
        if state == .off { try waitUntilEmpty(timeout: Self.departureLimit) }
    }

    /// Sends bytes to the reader over a connection that needs no card.
    private func direct(_ command: [UInt8]) -> [UInt8]? {
        // The service would wait for the end of the transaction that this connection itself holds.
        if options.holdsTransaction { card?.endTransaction() }
        guard let context,
            let handle = try? CardHandle(context, reader: facts.readerName, share: .direct, protocols: [])
        else { return nil }
        defer { handle.disconnect(.leave) }
        return try? handle.control(Self.escape, command)
    }
}
