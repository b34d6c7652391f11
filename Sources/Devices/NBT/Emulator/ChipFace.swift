// SPDX-License-Identifier: MIT

import CardConnection

/// The two ways to reach the chip.
enum ChipInterface: Sendable {
    case nfc
    case i2c
}

/// One face of the chip, as a card.
final class ChipFace: Card {
    private let interface: ChipInterface
    private let core: ChipCore

    init(_ interface: ChipInterface, of core: ChipCore) {
        self.interface = interface
        self.core = core
    }

    var atr: [UInt8] { core.withState { $0.settings.atr } }

    /// What the chip shows at anticollision; the bus has none.
    var contactlessUID: [UInt8]? { interface == .nfc ? core.withState { $0.shownUID } : nil }

    var contactlessATS: [UInt8]? { interface == .nfc ? core.withState { $0.settings.ats } : nil }

    func powerOn() { core.setPower(true, of: interface) }

    func powerOff() { core.setPower(false, of: interface) }

    func respond(to command: [UInt8]) -> CardAnswer { core.respond(to: command, on: interface) }
}
