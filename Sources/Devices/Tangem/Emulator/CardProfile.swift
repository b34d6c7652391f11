// SPDX-License-Identifier: MIT

import CardConnection
import TangemConstants

/// What differs between the cards that are emulated.
struct CardProfile: Sendable {
    /// The profile's word, as `--firmware` takes it.
    let name: String
    /// The text in tag 80.
    let firmware: String
    /// The version that features are compared with.
    let version: TangemFeature
    /// The settings that the card comes with.
    let settings: TangemSettings
    /// Slots for wallets.
    let wallets: Int
    /// Name of the blockchain in the data of production.
    let blockchain: String

    /// All profiles, the oldest first.
    static let all: [CardProfile] = [
        // The mask is that of a published answer of a card of this version.
        CardProfile("2.11r", "2.11r", 2, 11, mask: 0x0000_7E21, wallets: 1, blockchain: "ETH"),
        // As a published configuration of personalization for this version.
        CardProfile("3.05r", "3.05r", 3, 5, mask: 0x0008_7E21, wallets: 1, blockchain: "ETH"),
        // From here on the masks open what the version has, so that it can be tested.
        CardProfile("3.34d", "3.34d SDK", 3, 34, mask: 0x000A_7E31, wallets: 1, blockchain: "ETH"),
        CardProfile("4.12r", "4.12r", 4, 12, mask: 0x000A_BA31, wallets: 10, blockchain: "ANY"),
        CardProfile("4.45d", "4.45d SDK", 4, 45, mask: 0x006A_BA31, wallets: 20, blockchain: "ANY"),
        // Issuer data are off, as in the published example of personalization.
        CardProfile("6.33d", "6.33d SDK", 6, 33, mask: 0x01EA_BA31, wallets: 20, blockchain: "ANY"),
    ]

    private init(
        _ name: String,
        _ firmware: String,
        _ major: Int,
        _ minor: Int,
        mask: UInt32,
        wallets: Int,
        blockchain: String
    ) {
        self.name = name
        self.firmware = firmware
        version = TangemFeature(major: major, minor: minor)
        settings = TangemSettings(rawValue: mask)
        self.wallets = wallets
        self.blockchain = blockchain
    }

    /// Finds a profile by its word or by the whole text of the firmware.
    static func named(_ name: String) throws(EmulatorOptionError) -> CardProfile {
        if let found = all.first(where: { $0.name == name || $0.firmware == name }) { return found }
        let known = all.map(\.name).joined(separator: ", ")
        throw EmulatorOptionError("there is no Tangem profile '\(name)'; there are \(known)")
    }

    func has(_ feature: TangemFeature) -> Bool { version >= feature }

    /// Name of the manufacturer: hosts choose the key for the card identifier by it.
    var manufacturer: String {
        has(.keysImport) ? TangemDevelopmentKeys.manufacturerName : "SMART CASH"
    }
}
