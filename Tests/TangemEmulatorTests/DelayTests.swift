// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

@Suite("Security delay of the emulated card")
struct DelayTests {
    private let hash = [UInt8](repeating: 0x11, count: 32)

    private func loaded(_ firmware: String = "4.12r", _ options: [String: String] = [:]) throws -> CardBench {
        try CardBench(firmware, options.merging(["start": "loaded"]) { given, _ in given })
    }

    @Test("15 s, 8 s and 1 s are told, then the signature comes")
    func threePauses() throws {
        let bench = try loaded("4.12r", ["delay-tick": "7s"])
        let command = CardBench.apdu(.sign, bench.signItems([hash]))
        let start = bench.clock.now
        let first = bench.raw(command)
        #expect(first.data.hex == "1C0205DC")
        #expect(first.sw == "9789")
        #expect(bench.raw(command).data.hex == "1C020320")
        #expect(bench.raw(command).data.hex == "1C020064")
        let last = bench.raw(command)
        #expect(last.sw == "9000")
        #expect(last[.walletSignature]?.count == 64)
        // The delay, the command's own time when it began, and the signature.
        #expect(bench.clock.now - start >= .seconds(15))
        #expect(bench.clock.now - start < .milliseconds(15_200))
    }

    @Test("the card tells about its delay once a second, and every SIGN pays again")
    func eachChunkPays() throws {
        let bench = try loaded()
        #expect(bench.sign([hash]).sw == "9000")
        #expect(bench.pauses == stride(from: 1500, to: 0, by: -100).map { $0 })
        #expect(bench.sign([hash]).sw == "9000")
        #expect(bench.pauses.count == 15)
    }

    @Test("a delay that is no multiple of the tick ends in time")
    func oddDelay() throws {
        let bench = try loaded("4.12r", ["delay": "2.5s"])
        let start = bench.clock.now
        #expect(bench.sign([hash]).sw == "9000")
        #expect(bench.pauses == [250, 150, 50])
        #expect(bench.clock.now - start < .milliseconds(2700))
        let short = try loaded("4.12r", ["delay": "300ms"])
        #expect(short.sign([hash]).sw == "9000")
        #expect(short.pauses == [30])
    }

    @Test("nothing is carried out before the delay ends, another command ends it")
    func otherCommand() throws {
        let bench = try loaded()
        let command = CardBench.apdu(.purgeWallet, bench.fullAccess + [(.walletIndex, [0])])
        for _ in 0..<15 { #expect(bench.raw(command).sw == "9789") }
        #expect(bench.read()[.status] == [2])
        #expect(bench.raw(command).data.hex == "1C0205DC")
        bench.powerCycle()
        #expect(bench.raw(command).data.hex == "1C0205DC")
        for _ in 0..<14 { #expect(bench.raw(command).sw == "9789") }
        #expect(bench.raw(command).sw == "9000")
        #expect(bench.read()[.status] == [1])
    }

    @Test("progress in flash survives the loss of power")
    func flash() throws {
        let bench = try loaded("4.12r", ["delay-in-flash": "yes", "pause-length": "4"])
        let command = CardBench.apdu(.purgeWallet, bench.fullAccess + [(.walletIndex, [0])])
        #expect(bench.raw(command).data.hex == "1C04000005DC280101")
        #expect(bench.raw(command)[.pause]?.number == 1400)
        bench.powerCycle()
        // A host finds the card again by SELECT, and has no say in what the reader sends of its own.
        #expect(bench.raw([0, 0xA4, 4, 0, 8] + TangemLimits.walletAID).sw == "9000")
        #expect(bench.raw([0xFF, 0xCA, 0, 0, 0]).sw == "6E00")
        #expect(bench.raw(command)[.pause]?.number == 1300)
        bench.powerCycle()
        #expect(bench.once(.read, [(.pin, bench.pin1)]).sw == "9000")
        #expect(bench.raw(command)[.pause]?.number == 1500)
    }

    @Test("the scale makes delays pass faster, not what the card tells")
    func scale() throws {
        let bench = try loaded("4.12r", ["delay-scale": "300"])
        let start = bench.clock.now
        #expect(bench.sign([hash]).sw == "9000")
        // 50 ms of real time are a tick, and each exchange takes 20 ms.
        #expect(bench.pauses.first == 1500)
        #expect(bench.pauses.allSatisfy { $0 % 100 == 0 })
        #expect(bench.clock.now - start < .milliseconds(500))
    }

    @Test("a right passcode that is not the default makes up for the delay, where the settings say so")
    func smart() throws {
        let code = [UInt8](repeating: 0x42, count: 32)
        for (settings, pauses) in [("000ABA31", 0), ("000AB231", 15)] {
            let bench = try loaded("4.12r", ["passcode": code.hex, "settings": settings])
            bench.pin2 = code
            #expect(bench.sign([hash]).sw == "9000")
            #expect(bench.pauses.count == pauses)
        }
    }

    @Test("a linked terminal signs without delay, from 2.30 to below 4.39")
    func linkedTerminal() throws {
        for (firmware, isLinked) in [("2.11r", false), ("3.05r", true), ("4.12r", true), ("4.45d", false)] {
            let bench = try loaded(firmware, ["keys": "test"])
            let key = try PrivateKey([UInt8](repeating: 0x33, count: 32), curve: .secp256k1)
            let terminal = key.publicKey.uncompressed
            let signature = try ECDSA.sign(message: hash, with: key).raw(for: .secp256k1)
            let more: [(TangemTag, [UInt8])] = [
                (.terminalTransactionSignature, signature), (.terminalPublicKey, terminal),
            ]
            #expect(bench.read([(.terminalPublicKey, terminal)])[.isLinked] == nil)
            #expect(bench.sign([hash], more).sw == "9000")
            #expect(bench.pauses.count == 15)
            #expect((bench.read([(.terminalPublicKey, terminal)])[.isLinked] != nil) == isLinked)
            #expect(bench.read()[.isLinked] == nil)
            #expect(bench.sign([hash], more).sw == "9000")
            #expect(bench.pauses.isEmpty == isLinked)
            #expect(bench.sign([hash]).sw == "9000")
            #expect(bench.pauses.count == 15)
            let wrong = [(TangemTag.terminalTransactionSignature, [UInt8](repeating: 1, count: 64)), more[1]]
            #expect(bench.sign([hash], wrong).sw == (isLinked ? "6A86" : "9000"))
        }
    }

    @Test("an issuer's file waits unless the settings free it")
    func issuerFile() throws {
        for (settings, pauses) in [("000A7E31", 0), ("00087E31", 15)] {
            let bench = try CardBench("3.34d", ["settings": settings])
            let start = FileTests.issuerStart(bench, size: 4, counter: 1)
            #expect(bench.send(.writeFileData, start).sw == "9000")
            #expect(bench.pauses.count == pauses)
        }
    }

    @Test("a reader without time extension gives up on a long operation, and the error has both times")
    func impatientReader() throws {
        let clock = ModelClock()
        let card = try TangemCard(options: ["delay": "0s", "key-time": "9s"], seed: 7, clock: clock)
        let bench = try CardBench()
        let items: [(TangemTag, [UInt8])] = [
            (.pin, bench.pin1), (.pin2, bench.pin2), (.cardID, card.cardID ?? []), (.walletIndex, [0]),
        ]
        let patient = InProcessConnection(card: card, clock: clock, deadline: .seconds(12))
        let before = clock.now
        #expect(try patient.transmit(CardBench.apdu(.createWallet, items)).suffix(2) == [0x90, 0x00])
        #expect(clock.now - before > .seconds(9))
        #expect(clock.now - before < .milliseconds(9100))
        let other = items.dropLast() + [(.walletIndex, [1])]
        let impatient = InProcessConnection(
            card: card,
            clock: clock,
            deadline: .seconds(12),
            readerPatience: .seconds(3)
        )
        do {
            _ = try impatient.transmit(CardBench.apdu(.createWallet, Array(other)))
            Issue.record("the reader did not give up")
        } catch {
            #expect("\(error)".contains("3"))
            #expect("\(error)".contains("12"))
        }
    }
}
