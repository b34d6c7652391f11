// SPDX-License-Identifier: MIT

import Cryptography
import JSONText
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

@Suite("Encryption of the emulated card")
struct EncryptionTests {
    @Test("6982 leads from the clear over fast to strong")
    func escalation() throws {
        let bench = try CardBench("4.12r", ["encryption": "strong"])
        let items: [(TangemTag, [UInt8])] = [(.pin, bench.pin1)]
        #expect(bench.once(.read, items).sw == "6982")
        let part: [(TangemTag, [UInt8])] = [(.sessionKeyA, [UInt8](0..<16))]
        #expect(bench.once(.openSession, part, p2: 1).sw == "6982")
        let strong = try Session.open(.strong, bench)
        #expect(strong.send(.read, items).sw == "9000")
        let fastOnly = try CardBench("4.12r", ["encryption": "fast"])
        #expect(fastOnly.once(.read, [(.pin, fastOnly.pin1)]).sw == "6982")
        let fast = try Session.open(.fast, fastOnly)
        #expect(fast.send(.read, [(.pin, fastOnly.pin1)])[.cardID] == fastOnly.cardID)
    }

    @Test("a session carries commands, delays and answers", arguments: [Session.Mode.fast, .strong])
    func session(mode: Session.Mode) throws {
        let bench = try CardBench("4.12r", ["start": "loaded"])
        let session = try Session.open(mode, bench)
        let signed = session.send(.sign, bench.signItems([[UInt8](repeating: 1, count: 32)]))
        #expect(signed.sw == "9000")
        #expect(signed[.walletSignature]?.count == 64)
        #expect(bench.pauses.first == 1500)
        // A refusal has no data, in the clear or not.
        #expect(session.send(.sign, bench.access).sw == "6A86")
        #expect(session.send(.sign, bench.access).data.isEmpty)
        #expect(bench.read().sw == "9000")
    }

    @Test("a session ends with the power, and each mode wants its own")
    func sessionEnds() throws {
        let bench = try CardBench()
        let items: [(TangemTag, [UInt8])] = [(.pin, bench.pin1)]
        let fast = try Session.open(.fast, bench)
        #expect(fast.send(.read, items).sw == "9000")
        bench.powerCycle()
        #expect(fast.send(.read, items).sw == "6982")
        let strong = try Session.open(.strong, bench)
        #expect(fast.send(.read, items).sw == "6982")
        #expect(strong.send(.read, items).sw == "9000")
        let again = try Session.open(.strong, bench)
        #expect(again.key != strong.key)
        #expect(strong.send(.read, items).sw == "6A86")
    }

    @Test("wrong access codes cost time through encryption too", arguments: ["3.34d", "6.33d"])
    func wrongCodes(_ firmware: String) throws {
        for (option, cost) in [("yes", [0, 1, 2, 3]), ("no", [0, 0, 0, 0])] {
            let bench = try CardBench(firmware, ["wrong-codes-free": "0", "unreadable-counts": option])
            let right = bench.pin1
            bench.pin1 = CardBench.newPIN
            for waits in cost.dropLast() {
                #expect(try Session.open(.strong, bench).send(.read, [(.pin, bench.pin1)]).sw == "6A86")
                #expect(bench.pauses.count == waits)
            }
            bench.pin1 = right
            #expect(try Session.open(.strong, bench).send(.read, [(.pin, right)]).sw == "9000")
            #expect(bench.pauses.count == cost.last)
            #expect(try Session.open(.strong, bench).send(.read, [(.pin, right)]).sw == "9000")
            #expect(bench.pauses.isEmpty)
        }
    }

    @Test("a lost access code is reset in the clear where the card lets that be", arguments: ["yes", "no"])
    func recovery(_ option: String) throws {
        let bench = try CardBench("6.33d", ["encryption": "fast", "recovery-in-clear": option])
        let items: [(TangemTag, [UInt8])] = [
            (.cardID, bench.cardID), (.interactionMode, [TangemMode.tokenGet]),
        ]
        // Without an active set there is nothing to recover; what counts is that the card has read so far.
        #expect(bench.once(.authorize, items).sw == (option == "yes" ? "6985" : "6982"))
        #expect(bench.once(.setPIN, items).sw == "6982")
        #expect(bench.once(.attestCardKey, items).sw == "6982")
    }

    @Test("bodies that do not decrypt and parts that are no key are refused")
    func broken() throws {
        let bench = try CardBench("4.12r", ["wrong-codes-free": "100"])
        let session = try Session.open(.fast, bench)
        for body: [UInt8] in [[1], [UInt8](repeating: 1, count: 16), [UInt8](repeating: 7, count: 64)] {
            #expect(bench.raw(CardBench.apdu(.read, body: body, p1: 1)).sw == "6A86")
        }
        var damaged = try session.seal(CardBench.list([(.pin, bench.pin1)]))
        damaged[3] ^= 1
        #expect(bench.raw(CardBench.apdu(.read, body: damaged, p1: 1)).sw == "6A86")
        #expect(bench.raw(CardBench.apdu(.read, body: damaged, p1: 3)).sw == "6A86")
        #expect(bench.raw(CardBench.apdu(.read, body: [], p1: 1)).sw == "6A86")
        func open(_ part: [UInt8], _ p2: UInt8) -> String {
            bench.once(.openSession, [(.sessionKeyA, part)], p2: p2).sw
        }
        #expect(open([1, 2], 1) == "6A86")
        #expect(open([UInt8](repeating: 4, count: 65), 2) == "6A86")
        #expect(open([UInt8](0..<16), 0) == "6A86")
        #expect(open([UInt8](0..<16), 3) == "6A86")
        #expect(bench.once(.openSession, [], p2: 1).sw == "6A86")
        let silent = try CardBench("4.12r", ["session-uid": "no", "uid": "04112233445566"])
        #expect(silent.once(.openSession, [(.sessionKeyA, [UInt8](0..<16))], p2: 1).tags == ["1B"])
        #expect(try Session.open(.fast, silent).send(.read, [(.pin, silent.pin1)]).sw == "9000")
    }

    @Test("session keys are those of the vectors", arguments: try CardBench.vectors("session_key"))
    func sessionKeys(vector: JSON) throws {
        let input = try #require(vector["input"])
        let expected = try #require(vector["expected"])
        let key = try SessionCipher.key(
            secret: try expected.vectorBytes("secret"),
            pin: try input.vectorBytes("accessCodeSha256"),
            uid: try input.vectorBytes("uid")
        )
        #expect(key.hex == expected["sessionKey"]?.string)
    }

    @Test("check values are those of the vectors", arguments: try CardBench.vectors("crc16"))
    func checkValues(vector: JSON) throws {
        let data = try #require(vector["input"]).vectorBytes("data")
        #expect(SessionCipher.crc(data).hex == vector["expected"]?["crc"]?.string)
    }

    @Test(
        "encrypted commands of the vectors are understood",
        arguments: try CardBench.vectors("encrypted_apdu")
    )
    func commands(vector: JSON) throws {
        let input = try #require(vector["input"])
        let cipher = SessionCipher(mode: 1, key: try input.vectorBytes("sessionKey"))
        let cipherText = try #require(vector["expected"]).vectorBytes("cipherText")
        #expect(cipher.open(cipherText)?.hex == input["plainTlvs"]?.string)
    }

    @Test("answers are encrypted as in the vectors", arguments: try CardBench.vectors("encrypted_response"))
    func answers(vector: JSON) throws {
        let input = try #require(vector["input"])
        let cipher = SessionCipher(mode: 1, key: try input.vectorBytes("sessionKey"))
        let sealed = try cipher.seal(try input.vectorBytes("plainTlvs"))
        #expect(sealed.hex == vector["expected"]?["data"]?.string)
    }
}
