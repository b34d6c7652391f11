// SPDX-License-Identifier: MIT

import CardConnection
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

/// Points that no source tells: each is an option with a default, and the option does something.
@Suite("What is not published")
struct UnverifiedOptionTests {
    static let points: [(point: String, option: String, standard: String)] = [
        ("status word of SELECT with another AID", "unknown-application", "6A82"),
        ("data that SELECT answers", "fci", ""),
        ("commands before SELECT", "implicit-select", "yes"), ("the same, refused", "not-selected", "6D00"),
        ("status word for a permanent wallet", "permanent-wallet", "6985"),
        ("status word for a forbidden change of codes", "code-change-refused", "6985"),
        ("status word for data that are off", "switched-off", "6D00"),
        ("status word for another card's identifier", "wrong-card", "6A86"),
        ("status word for a class that is unknown", "unknown-class", "6E00"),
        ("status word for an instruction that is unknown", "unknown-instruction", "6D00"),
        ("status word for bytes that are no command", "wrong-length", "6700"),
        ("which firmware tells the code that is wrong", "wrong-code", "firmware"),
        ("how delays grow", "wrong-code-delay", "1s"), ("from when on", "wrong-codes-free", "3"),
        ("how far", "wrong-code-delay-limit", "60s"), ("how often a delay is told", "delay-tick", "1s"),
        ("length of tag 1C", "pause-length", "2"),
        ("delays that survive the loss of power", "delay-in-flash", "no"),
        ("what bit 0800 does", "smart-delay", "yes"), ("lengths of salts", "salt-length", "16"),
        ("hash lengths of SIGN", "hash-lengths", "any"), ("hashes in one SIGN", "hash-limit", "10"),
        ("counters at their end", "counter-overflow", "stay"),
        ("objects that are unknown", "unknown-objects", "ignore"), ("Le of commands", "le", "any"),
        ("content of the NDEF application", "ndef", ""), ("UID in OPEN_SESSION", "session-uid", "yes"),
        ("whose settings rule a wallet", "wallet-settings", "firmware"), ("high s", "high-s", "no"),
        ("which cards make one-time passwords", "otp", "no"), ("BLS wallets", "bls-refused", "6A86"),
        ("rights of new files", "new-files", "public"),
        ("status in ATTEST_WALLET_KEY", "attest-status", "firmware"),
        ("counter in ATTEST_WALLET_KEY", "attest-counter", "firmware"),
    ]

    @Test("has an option with the stated default", arguments: points.map(\.option))
    func option(_ name: String) throws {
        let option = try #require(TangemCard.options.first { $0.name == name })
        let point = try #require(Self.points.first { $0.option == name })
        #expect(option.defaultText == point.standard)
    }

    private let challenge: [(TangemTag, [UInt8])] = [(.challenge, CardBench.challenge)]

    @Test("lets a card take commands by their Le")
    func expectedLength() throws {
        for (word, without, with) in [
            ("any", "9000", "9000"), ("absent", "9000", "6700"), ("present", "6700", "9000"),
        ] {
            let bench = try CardBench("4.12r", ["le": word])
            let command = CardBench.apdu(.attestCardKey, bench.access + challenge)
            #expect(bench.raw(command).sw == without, "\(word)")
            #expect(bench.raw(command + [0, 0]).sw == with, "\(word)")
        }
    }

    @Test("lets a card refuse objects that it does not know")
    func unknownObjects() throws {
        let more = challenge + [(TangemTag(rawValue: 0xEE), [1])]
        let patient = try CardBench("4.12r")
        #expect(patient.send(.attestCardKey, patient.access + more).sw == "9000")
        let strict = try CardBench("4.12r", ["unknown-objects": "refuse"])
        #expect(strict.send(.attestCardKey, strict.access + more).sw == "6A86")
        #expect(strict.send(.attestCardKey, strict.access + challenge).sw == "9000")
    }

    @Test("lets a card tell another card's identifier apart")
    func wrongCard() throws {
        let bench = try CardBench("4.12r", ["wrong-card": "6A88"])
        let other: [(TangemTag, [UInt8])] = [(.pin, bench.pin1), (.cardID, [1, 2, 3, 4, 5, 6, 7, 8])]
        #expect(bench.send(.attestCardKey, other + challenge).sw == "6A88")
    }

    @Test("lets ATTEST_WALLET_KEY tell status and counter, or not")
    func attestation() throws {
        func answer(_ firmware: String, _ options: [String: String]) throws -> Answer {
            let bench = try CardBench(firmware, options.merging(["start": "loaded"]) { $1 })
            let more = challenge + [(.walletIndex, [0]), (.publicKeyChallenge, [])]
            return bench.send(.attestWalletKey, bench.access + more)
        }
        for (firmware, hasStatus, hasCounter) in [
            ("2.11r", false, false), ("4.12r", false, true), ("4.45d", true, true),
        ] {
            let usual = try answer(firmware, [:])
            #expect((usual[.status] != nil) == hasStatus, "\(firmware)")
            #expect((usual[.checkWalletCounter] != nil) == hasCounter, "\(firmware)")
            let all = try answer(firmware, ["attest-status": "yes", "attest-counter": "yes"])
            #expect(all[.status] == [2] && all[.checkWalletCounter] == [0, 0, 0, 1], "\(firmware)")
            let none = try answer(firmware, ["attest-status": "no", "attest-counter": "no"])
            #expect(none[.status] == nil && none[.checkWalletCounter] == nil, "\(firmware)")
            // The card signs the status where it tells it.
            #expect(all[.cardSignature] != none[.cardSignature], "\(firmware)")
        }
    }

    @Test("lets a passcode stand in for the delay, or not", arguments: ["yes", "no"])
    func smartDelay(_ word: String) throws {
        let passcode = [UInt8](repeating: 0x5A, count: 32)
        let bench = try CardBench(
            "4.12r",
            ["smart-delay": word, "delay": "2s", "start": "loaded", "passcode": passcode.hex]
        )
        bench.pin2 = passcode
        let answer = bench.send(
            .sign,
            bench.fullAccess + [
                (.transactionOutHashSize, [32]), (.transactionOutHash, [UInt8](repeating: 1, count: 32)),
                (.walletIndex, [0]),
            ]
        )
        #expect(answer.sw == "9000")
        #expect(bench.pauses.isEmpty == (word == "yes"))
    }

    @Test("lets a counter stay at its end, or end the signatures", arguments: ["stay", "refuse"])
    func overflow(_ word: String) throws {
        let bench = try CardBench("4.12r", ["counter-overflow": word, "delay": "0s", "start": "loaded"])
        let full = bench.send(.writeUserData, bench.access + [(.userCounter, [0xFF, 0xFF, 0xFF, 0xFF])])
        #expect(full.sw == "9000")
        let answer = bench.send(
            .sign,
            bench.fullAccess + [
                (.transactionOutHashSize, [32]), (.transactionOutHash, [UInt8](repeating: 1, count: 32)),
                (.walletIndex, [0]),
            ]
        )
        #expect(answer.sw == (word == "stay" ? "9000" : "6985"))
        let data = bench.send(.readUserData, bench.access)
        #expect(data[.userCounter] == [0xFF, 0xFF, 0xFF, 0xFF])
    }
}
