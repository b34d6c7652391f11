// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import Tangem
import TangemConstants
import TangemEmulator
import Testing

@Suite("A thousand cards")
struct RandomCardTests {
    /// A stream of numbers that follows from its seed.
    private struct Stream: RandomNumberGenerator {
        var state: UInt64

        /// Source: the SplitMix64 of Steele, Lea and Flood, 2014.
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return z ^ z >> 31
        }
    }

    /// What a card is made as, and the codes that its owner knows.
    private struct Plan {
        let firmware: String
        var configuration: PersonalizationConfiguration
        let accessCode: String?
        let passcode: String?
    }

    private static let freeBits: [TangemSettings] = [
        .isReusable, .permanentWallet, .useBlock, .allowSetPIN1, .allowSetPIN2, .useCVC, .useOneCommandAtTime,
        .useNDEF, .smartSecurityDelay, .allowUnencrypted, .allowFastEncryption,
        .protectIssuerDataAgainstReplay, .allowSelectBlockchain, .disablePrecomputedNDEF,
        .skipDelayIfValidatedByIssuer, .skipDelayIfValidatedByLinkedTerminal,
        .restrictOverwriteIssuerExtraData, .allowHDWallets, .allowBackup, .allowKeysImport,
        .disableIssuerData,
        .disableUserData, .disableFiles,
    ]

    private static func plan(_ number: Int, _ random: inout Stream) throws -> Plan {
        let firmware = TangemCard.profiles[number % TangemCard.profiles.count]
        let isOld = firmware.hasPrefix("2.") || firmware.hasPrefix("3.")
        var settings: TangemSettings = []
        for bit in freeBits where Bool.random(using: &random) { settings.insert(bit) }
        let series = ["BB03", "CB79", "AF", "FF"].randomElement(using: &random) ?? "CB79"
        let limit = series.count == 2 ? 9_999_999_999_999 : 99_999_999_999
        var configuration = PersonalizationConfiguration(
            id: try CardID(series: series, number: Int.random(in: 0...limit, using: &random)),
            settings: settings,
            batch: [UInt8.random(in: 0...255, using: &random), UInt8.random(in: 0...255, using: &random)],
            date: CardDate(
                year: Int.random(in: 2017...2035, using: &random),
                month: Int.random(in: 1...12, using: &random),
                day: Int.random(in: 1...28, using: &random)
            )
        )
        let curves: [TangemCurve] =
            isOld
            ? [.secp256k1, .ed25519]
            : firmware == "4.12r"
                ? [.secp256k1, .ed25519, .secp256r1] : [.secp256k1, .ed25519, .secp256r1, .bip0340]
        configuration.curve = curves.randomElement(using: &random) ?? .secp256k1
        configuration.maxSignatures = UInt32.random(in: 1...UInt32.max, using: &random)
        configuration.securityDelayMilliseconds = 10 * Int.random(in: 0...65_535, using: &random)
        configuration.createsWallet = Bool.random(using: &random)
        configuration.walletsCount = isOld ? nil : Int.random(in: 1...40, using: &random)
        configuration.product =
            [TangemProduct.note, .tag, .authentication, .twinCard].randomElement(using: &random) ?? .note
        configuration.blockchainName = ["ANY", "BTC", "ETH", "XLM"].randomElement(using: &random) ?? "ANY"
        if Bool.random(using: &random) {
            configuration.token = ("TOK", "0x4E7Bd88E3996f48E2a24D15E37cA4C02B4D134d2", 18)
        }
        let accessCode = Bool.random(using: &random) ? "access \(random.next())" : nil
        let passcode = Bool.random(using: &random) ? "pass \(random.next())" : nil
        if let accessCode { configuration.accessCode = UserCode(accessCode) }
        if let passcode { configuration.passcode = UserCode(passcode) }
        return Plan(
            firmware: firmware,
            configuration: configuration,
            accessCode: accessCode,
            passcode: passcode
        )
    }

    @Test("are read as they were personalized", arguments: 0..<10)
    func random(_ part: Int) throws {
        var random = Stream(state: UInt64(part))
        for number in 0..<100 {
            let plan = try Self.plan(number, &random)
            let card = try Self.scanned(plan, seed: random.next())
            let wanted = plan.configuration
            #expect(Self.mismatches(card, plan) == [], "\(part).\(number) on \(plan.firmware): \(wanted.id)")
        }
    }

    private static func scanned(_ plan: Plan, seed: UInt64) throws -> CardRecord {
        let clock = ModelClock()
        let card = try TangemCard(
            firmware: plan.firmware,
            options: ["start": "blank"],
            seed: seed,
            clock: clock
        )
        let connection = InProcessConnection(card: card, clock: clock)
        _ = try TangemSDK(connection: connection, clock: clock).personalize(plan.configuration)
        var configuration = SessionConfiguration()
        if let code = plan.accessCode { configuration.accessCode = UserCode(code) }
        if let code = plan.passcode { configuration.passcode = UserCode(code) }
        configuration.cvc = plan.configuration.cvc
        return try TangemSDK(connection: connection, configuration: configuration, clock: clock)
            .scanCard(cardId: plan.configuration.id.description)
    }

    /// The words of all fields that are not as they were written.
    private static func mismatches(_ card: CardRecord, _ plan: Plan) -> [String] {
        let wanted = plan.configuration
        let isMulti = card.has(.multiWallet)
        let wallet = card.wallets.first
        let checks: [(String, Bool)] = [
            ("id", card.id == wanted.id), ("settings", card.settings == wanted.settings),
            ("batch", card.production.batchID == wanted.batch.hex),
            ("date", card.production.date == wanted.date),
            ("issuer", card.production.issuerName == wanted.issuerName),
            ("issuer key", card.issuerPublicKey == wanted.issuerPublicKey),
            ("blockchain", card.production.blockchainName == wanted.blockchainName),
            ("product", card.production.product == wanted.product),
            ("token", card.production.token?.symbol == wanted.token?.symbol),
            ("decimals", card.production.token?.decimals == wanted.token?.decimals),
            ("contract", card.production.token?.contractAddress == wanted.token?.contractAddress),
            ("delay", card.securityDelayMilliseconds == wanted.securityDelayMilliseconds),
            ("methods", card.signingMethods == wanted.signingMethods), ("curve", card.curve == wanted.curve),
            ("slots", card.walletsCount == wanted.walletsCount ?? 1),
            ("signatures", card.maxSignatures == (isMulti ? nil : wanted.maxSignatures.map(Int.init))),
            ("wallet", (wallet != nil) == wanted.createsWallet),
            (
                "status",
                card.status == (wanted.createsWallet ? TangemCardStatus.loaded : TangemCardStatus.empty)
            ),
            ("wallet's curve", wallet == nil || wallet?.curve == wanted.curve),
            ("access code", card.isAccessCodeDefault.map { $0 == (plan.accessCode == nil) } ?? true),
            ("passcode", card.isPasscodeDefault.map { $0 == (plan.passcode == nil) } ?? true),
            ("firmware", card.firmware.description.hasPrefix(plan.firmware)),
            ("proofs", card.attestation.overall == .verified),
        ]
        return checks.filter { !$0.1 }.map(\.0)
    }
}
