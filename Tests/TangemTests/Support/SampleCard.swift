// SPDX-License-Identifier: MIT

import SmartCard
import Tangem
import TangemConstants

/// Card records as tests need them.
enum SampleCard {
    static let id = "CB79000000018201"

    /// The data objects of a READ.
    static func objects(
        firmware: String = "4.12r",
        id: String = id,
        settings: UInt32 = 0x00EA_FE31,
        wallets: Int = 3,
        status: UInt8 = TangemCardStatus.empty,
        more: [CardObject] = []
    ) throws -> CardObjects {
        var data = CardObjects()
        data.add(.batchID, [0xCB, 0x79])
        data.add(.manufactureDate, CardDate(year: 2021, month: 3, day: 15).bytes)
        data.add(.issuerName, text: "TANGEM SDK")
        var objects = CardObjects()
        objects.add(.cardID, try hex(id))
        objects.add(.manufacturerName, text: "TANGEM SDK")
        objects.add(.status, [status])
        objects.add(.firmwareVersion, text: firmware)
        objects.add(.cardPublicKey, try hex(Vector.named("emulator-key-card").expected.text("publicKey")))
        try objects.add(.settingsMask, number: Int(settings), count: 4)
        objects.add(.cardData, list: data)
        objects.add(.issuerPublicKey, try hex(TangemDevelopmentKeys.issuerData.publicKey))
        objects.add(.pauseBeforePIN2, [0x01, 0x2C])
        objects.add(.signingMethod, [0x81])
        if wallets != 1 { objects.add(.walletsCount, [UInt8(wallets)]) }
        return CardObjects(objects.items + more)
    }

    static func record(firmware: String, settings: UInt32 = 0x00EA_FE31) throws -> CardRecord {
        try CardRecord(objects(firmware: firmware, settings: settings))
    }

    static func context(firmware: String, settings: UInt32 = 0x00EA_FE31) throws -> CommandContext {
        CommandContext(card: try record(firmware: firmware, settings: settings))
    }
}
