// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

@Suite("Power loss, saved state, determinism and noise")
struct RobustnessTests {
    private let hash = [UInt8](repeating: 0x11, count: 32)

    @Test(
        "a torn write leaves the old or the new state",
        arguments: [TangemCard.TornWrite.oldState, .newState]
    )
    func torn(outcome: TangemCard.TornWrite) throws {
        let bench = try CardBench("3.34d", ["start": "loaded"])
        let isNew = outcome == .newState
        bench.card.cutDuringNextWrite(leaving: outcome)
        #expect(bench.read().sw == "9000")
        #expect(bench.sign([hash]).sw == "removed")
        #expect(bench.read().sw == "mute")
        bench.powerCycle()
        #expect(bench.read()[.walletSignedHashes]?.number == (isNew ? 1 : 0))

        let old = [UInt8](repeating: 1, count: 512)
        let new = [UInt8](repeating: 2, count: 512)
        #expect(bench.send(.writeUserData, bench.access + [(.userData, old)]).sw == "9000")
        bench.card.cutDuringNextWrite(leaving: outcome)
        #expect(bench.send(.writeUserData, bench.access + [(.userData, new)]).sw == "removed")
        bench.powerCycle()
        #expect(bench.send(.readUserData, bench.access)[.userData] == (isNew ? new : old))

        bench.card.cutDuringNextWrite(leaving: outcome)
        #expect(bench.purge().sw == "removed")
        bench.powerCycle()
        #expect(bench.read()[.status] == [isNew ? 1 : 2])

        let codes: [(TangemTag, [UInt8])] = [(.newPIN, CardBench.newPIN), (.newPIN2, CardBench.newPIN)]
        bench.card.cutDuringNextWrite(leaving: outcome)
        #expect(bench.send(.setPIN, bench.fullAccess + codes).sw == "removed")
        bench.powerCycle()
        if isNew { bench.pin1 = CardBench.newPIN }
        #expect(bench.read().sw == "9000")
        // The cut happens once.
        #expect(bench.send(.writeUserData, bench.access + [(.userData, new)]).sw == "9000")
    }

    @Test("power loss in the middle of a delay changes nothing")
    func cutInDelay() throws {
        let bench = try CardBench("4.12r", ["start": "loaded"])
        let command = CardBench.apdu(.sign, bench.signItems([hash]))
        for _ in 0..<10 { #expect(bench.raw(command).sw == "9789") }
        let before = bench.card.savedState
        bench.powerCycle()
        #expect(bench.card.savedState == before)
    }

    @Test("without power the card is mute")
    func mute() throws {
        let bench = try CardBench()
        bench.card.powerOff()
        #expect(bench.read().sw == "mute")
    }

    @Test("a saved state goes on where it was", arguments: TangemCard.profiles)
    func savedState(firmware: String) throws {
        let bench = try CardBench(firmware, ["delay": "0s"], seed: 5)
        #expect(bench.createWallet().sw == "9000")
        #expect(bench.sign([hash]).sw == "9000")
        if firmware != "3.05r" {
            #expect(bench.send(.writeUserData, bench.access + [(.userData, [1, 2, 3])]).sw == "9000")
        }
        let text = bench.card.savedState
        let other = try CardBench(firmware, seed: 99)
        try other.card.restoreState(text)
        #expect(other.card.savedState == text)
        #expect(other.cardID == bench.cardID)
        #expect(other.card.cardPublicKey == bench.card.cardPublicKey)
        #expect(other.read().data == bench.read().data)
        #expect(other.sign([hash]).data == bench.sign([hash]).data)
    }

    @Test("a state that is none is refused, and the card is as before")
    func badState() throws {
        let bench = try CardBench("4.12r")
        let before = bench.card.savedState
        let other = try CardBench("6.33d")
        let broken = before.replacing("\"card-key\"", with: "\"no-key\"")
        let zero = [UInt8](repeating: 0, count: 32).hex
        let key = try #require(before.firstMatch(of: /"card-key": "([0-9A-F]+)"/)?.output.1)
        for text in ["", "{", "[]", "{\"tangem-card\": 1}", broken, other.card.savedState] {
            #expect(throws: EmulatorOptionError.self) { try bench.card.restoreState(text) }
        }
        #expect(throws: EmulatorOptionError.self) {
            try bench.card.restoreState(before.replacing(key, with: zero))
        }
        #expect(bench.card.savedState == before)
    }

    @Test(
        "a state that the card could not have saved is refused by the name of what is wrong",
        arguments: [
            (#""identity": \{[^}]*\},"#, "", "memory.identity': it is missing"),
            (#""identity": \{[^}]*\}"#, #""identity": null"#, "memory.slots': there are 10"),
            (#""settings": 703025"#, #""settings": -1"#, "memory.identity.settings': it is -1"),
            (#""pin1": "[0-9A-F]+""#, #""pin1": "00""#, "memory.pin1': it has 1 bytes, 32 are"),
            (#""secret": "[0-9A-F]+""#, #""secret": "ZERO""#, "memory.slots[0].secret': it is no key"),
            (#""secret": "[0-9A-F]+""#, #""secret": "ONES""#, "memory.slots[0].public-key': the secret has"),
            (#""user-data": """#, #""user-data": "LONG""#, "memory.user-data': it has 600 bytes"),
            (#""status": 2"#, #""status": 999"#, "memory.slots[0].status': it is 999"),
            (#""status": 2"#, #""status": 77"#, "memory.slots[0].status': 77 is none of a slot"),
            (#""status": 2"#, #""status": 3"#, "memory.slots[0].curve': the slot holds no wallet"),
            (#""signed": 0"#, #""signed": -5"#, "memory.slots[0].signed': it is -5"),
            (#""issuer-key": "[0-9A-F]+""#, #""issuer-key": "04""#, "memory.identity.issuer-key': it has 1"),
            (#""data": """#, #""data": "LONG""#, "memory.issuer-data.data': it has 600 bytes"),
            (#""terminal": null"#, #""terminal": "AA""#, "memory.terminal': it has 1 bytes"),
            (#""otp-counter": 0"#, #""otp-counter": "0""#, "memory.otp-counter': it is no whole number"),
            (#""otp-counter": 0"#, #""otp-counter": 0, "more": 1"#, "memory.more': no card saves it"),
            (#""random-position": "\d+""#, #""random-position": "x""#, "random-position': it is no number"),
        ]
    )
    func damagedState(_ pattern: String, _ replacement: String, _ sentence: String) throws {
        let bench = try CardBench("4.12r", ["start": "loaded"])
        let before = bench.card.savedState
        let place = try #require(before.firstMatch(of: Regex(pattern))?.range)
        let damaged = before[..<place.lowerBound] + replacement + before[place.upperBound...]
        let text = String(damaged)
            .replacing("ZERO", with: String(repeating: "00", count: 32))
            .replacing("ONES", with: String(repeating: "11", count: 32))
            .replacing("LONG", with: String(repeating: "AB", count: 600))
        let error = try #require(throws: EmulatorOptionError.self) { try bench.card.restoreState(text) }
        #expect(error.description.hasPrefix("the saved state is damaged at '\(sentence)"), "\(error)")
        #expect(bench.card.savedState == before)
    }

    @Test("a blank card keeps its state too")
    func blankState() throws {
        let text = try CardBench("6.33d", ["start": "blank"]).card.savedState
        let other = try CardBench("6.33d")
        try other.card.restoreState(text)
        #expect(other.card.savedState == text)
        #expect(other.card.cardID == nil)
    }

    @Test("the same seed gives the same card and the same answers", arguments: TangemCard.profiles)
    func determinism(firmware: String) throws {
        func transcript(_ seed: UInt64) throws -> [String] {
            let bench = try CardBench(firmware, seed: seed)
            var out = [bench.read().data.hex, bench.card.uid.hex]
            out.append(bench.createWallet().data.hex)
            out.append(bench.sign([hash, hash]).data.hex)
            let challenge: [(TangemTag, [UInt8])] = [(.challenge, CardBench.challenge), (.walletIndex, [0])]
            out.append(bench.send(.attestCardKey, bench.access + challenge).data.hex)
            out.append(bench.send(.attestWalletKey, bench.access + challenge).data.hex)
            let session = try Session.open(.strong, bench)
            out.append(session.key.hex)
            out.append("\(bench.clock.now)")
            return out
        }
        #expect(try transcript(1) == transcript(1))
        let one = try transcript(1)
        let two = try transcript(2)
        #expect(zip(one, two).dropLast().allSatisfy { $0 != $1 })
    }

    @Test("any bytes get an answer of at least two bytes", arguments: TangemCard.profiles)
    func noise(firmware: String) throws {
        let bench = try CardBench(firmware, ["start": "loaded", "delay": "0s", "otp": "yes"])
        var random = SeededGenerator(seed: 77)
        let instructions = TangemInstruction.all.map(\.rawValue)
        let tags = TangemTag.all
        for round in 0..<600 {
            var command: [UInt8]
            switch round % 4 {
            case 0:
                command = random.bytes(Int(random.next() % 40))
            case 1:
                let ins = instructions[Int(random.next() % UInt64(instructions.count))]
                let body = random.bytes(Int(random.next() % 200) + 1)
                command = [0, ins, 0, UInt8(random.next() % 3), 0, 0, UInt8(body.count)] + body
            default:
                // Right codes, then objects of any kind with lengths that are usual.
                let ins = instructions[Int(random.next() % UInt64(instructions.count))]
                var items = round % 4 == 2 ? bench.fullAccess : bench.access
                if random.next() % 2 == 0 { items.append((.walletIndex, [UInt8(random.next() % 4)])) }
                if random.next() % 2 == 0 { items.append((.interactionMode, [UInt8(random.next() % 7)])) }
                for _ in 0..<random.next() % 8 {
                    let length = [0, 1, 2, 4, 16, 32, 64, 65, 300][Int(random.next() % 9)]
                    let tag = tags[Int(random.next() % UInt64(tags.count))]
                    items.append((tag, random.bytes(length)))
                }
                command = CardBench.apdu(TangemInstruction(rawValue: ins), items)
            }
            // A blank card or another code would end the test's reach.
            if command.count > 1, [0xE3, 0xFA, 0xEA, 0xEC].contains(command[1]) { continue }
            let answer = bench.raw(command)
            #expect(answer.sw.count == 4)
            #expect(answer.data.count <= TangemLimits.largestAnswer)
            if answer.sw == "9789" { _ = bench.raw(command) }
        }
        #expect(bench.read().sw == "9000")
    }

    @Test("bytes that are no command, and classes and instructions that are not there")
    func refusals() throws {
        let bench = try CardBench()
        #expect(bench.raw([]).sw == "6700")
        #expect(bench.raw([0, 0xF2, 0]).sw == "6700")
        #expect(bench.raw([0, 0xF2, 0, 0, 0, 0, 9, 1]).sw == "6700")
        #expect(bench.raw([0x80, 0xF2, 0, 0]).sw == "6E00")
        #expect(bench.raw([0, 0x00, 0, 0]).sw == "6D00")
        for ins: UInt8 in [0xF4, 0xF5, 0xFE, 0xD2, 0xE2] { #expect(bench.raw([0, ins, 0, 0]).sw == "6D00") }
        #expect(bench.raw([0, 0xF2, 0, 0, 3, 0x10, 0xFF, 0x01]).sw == "6A86")
        let other = try CardBench("4.12r", ["unknown-class": "6E01", "wrong-length": "6701"])
        #expect(other.raw([0x80, 0xF2, 0, 0]).sw == "6E01")
        #expect(other.raw([0]).sw == "6701")
    }

    @Test(
        "options that make no sense are refused with a sentence",
        arguments: [
            ("uid", "0102", "option 'uid' has 2 bytes, but takes 4 or 7"),
            ("card-id", "01", "option 'card-id' has 1 bytes, but takes 8"),
            ("not-selected", "01", "option 'not-selected' has 1 bytes, but takes 2"),
            ("delay", "700s", "option 'delay' is '700s', but takes 655.35s at most"),
            ("curve", "bls12381_G2", "option 'curve' is 'bls12381_G2', which 4.12r does not have"),
        ]
    )
    func options(row: (name: String, value: String, text: String)) throws {
        do throws(EmulatorOptionError) {
            _ = try TangemCard(options: [row.name: row.value], clock: ModelClock())
            Issue.record("\(row.name) was taken")
        } catch {
            #expect(error.description == row.text)
        }
    }

    @Test("every option has a default that it takes, or none")
    func defaults() throws {
        for option in TangemCard.options where !option.defaultText.isEmpty {
            #expect(option.complaint(about: option.defaultText) == nil, "\(option.name)")
        }
        #expect(Set(TangemCard.options.map(\.name)).count == TangemCard.options.count)
        #expect(throws: EmulatorOptionError.self) { try TangemCard(firmware: "9.99", clock: ModelClock()) }
        #expect(try TangemCard(firmware: "3.34d SDK", clock: ModelClock()).firmware == "3.34d SDK")
        #expect(TangemCard.profiles.contains(TangemCard.defaultProfile))
    }

    @Test("entropy and one-time passwords")
    func smallCommands() throws {
        let bench = try CardBench("6.33d", ["delay": "0s", "otp": "yes"])
        let first = bench.send(.getEntropy, bench.access)
        #expect(first[.issuerData]?.count == 32)
        #expect(bench.send(.getEntropy, bench.access)[.issuerData] != first[.issuerData])
        #expect(bench.send(.generateOTP, bench.fullAccess).sw == "6A88")
        let key = bench.createWallet()[.walletPublicKey]
        let otp = bench.send(.generateOTP, bench.fullAccess)
        #expect(otp.tags == ["01", "42", "26", "60"])
        #expect(otp[.walletPublicKey] == key)
        #expect(bench.send(.generateOTP, bench.fullAccess)[.codeHash] == otp[.codeHash])
        let old = try CardBench("4.45d")
        #expect(old.send(.getEntropy, old.access).sw == "6D00")
        #expect(old.send(.setUserSettings, old.fullAccess).sw == "6D00")
    }
}
