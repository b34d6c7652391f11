// SPDX-License-Identifier: MIT

/// What every firmware example does with the chip at start-up: access policy, interfaces, the pin's function.
struct ChipPersonalization: Sendable {
    /// The policy records that the example wants, in the order in which the chip returns them.
    let policy: [[UInt8]]
    /// Value of the pin's function (tag C030).
    let pinFunction: UInt8

    /// The policy of the pass-through and handover examples: no file for data of the kit.
    static let policyWithoutFiles: [[UInt8]] = [
        [0xE1, 0x03, 0x40, 0x00, 0x40, 0x00],
        [0xE1, 0x04, 0x40, 0x40, 0x40, 0x00],
        [0xE1, 0xA1, 0x00, 0x00, 0x00, 0x00],
        [0xE1, 0xA2, 0x00, 0x00, 0x00, 0x00],
        [0xE1, 0xA3, 0x00, 0x00, 0x00, 0x00],
        [0xE1, 0xA4, 0x00, 0x00, 0x00, 0x00],
        [0xE1, 0xAF, 0x40, 0x40, 0x40, 0x40],
    ]

    /// Selects the tag application.
    static let selectApplication: [UInt8] = [
        0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00,
    ]

    private static let selectConfigurator: [UInt8] = [
        0x00, 0xA4, 0x04, 0x00, 0x0D, 0xD2, 0x76, 0x00, 0x00, 0x04, 0x15, 0x02, 0x00, 0x00, 0x0B, 0x00, 0x01,
        0x01, 0x00,
    ]

    /// Writes the policy records that differ, then switches both interfaces on, sets the pin and resets the chip.
    ///
    /// - Returns: False when the chip does not answer, or refuses.
    func apply(over chip: ChipBus, on hardware: inout BoardHardware) -> Bool {
        guard chip.data(Self.selectApplication, on: &hardware) != nil,
            chip.data([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0xAF, 0x00], on: &hardware) != nil,
            let current = chip.data([0x00, 0xB0, 0x00, 0x00, 0x2A], on: &hardware)
        else { return false }
        for (index, record) in policy.enumerated() {
            let start = index * record.count
            let isSame = start + record.count <= current.count && current[start...].starts(with: record)
            if !isSame, chip.data([0x00, 0xD6, 0x00, 0x00, 0x06] + record, on: &hardware) == nil {
                return false
            }
        }
        guard chip.data(Self.selectConfigurator, on: &hardware) != nil,
            chip.data([0x20, 0x20, 0x00, 0x00, 0x04, 0xC0, 0x60, 0x01, 0x11], on: &hardware) != nil,
            chip.data([0x20, 0x20, 0x00, 0x00, 0x04, 0xC0, 0x30, 0x01, pinFunction], on: &hardware) != nil
        else { return false }
        // The vendor's S(POR request): the chip starts anew.
        chip.restart()
        return true
    }
}
