// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants
import Testing

@testable import TangemEmulator

@Suite("Codes of the emulated card")
struct CodeTests {
    private let hash = [UInt8](repeating: 0x11, count: 32)
    private let wrong = [UInt8](repeating: 0xEE, count: 32)

    @Test(
        "a wrong code has its own status word on newer firmware",
        arguments: [
            ("2.11r", "6A86", "6A86"), ("3.05r", "6A86", "6A86"), ("3.34d", "6A86", "6A86"),
            ("4.12r", "6AF1", "6AF2"), ("4.45d", "6AF1", "6AF2"), ("6.33d", "6AF1", "6AF2"),
        ]
    )
    func wrongCodes(row: (firmware: String, access: String, pass: String)) throws {
        let bench = try CardBench(row.firmware, ["start": "loaded"])
        bench.pin2 = wrong
        #expect(bench.sign([hash]).sw == row.pass)
        #expect(bench.pauses.isEmpty)
        bench.pin1 = wrong
        #expect(bench.read().sw == row.access)
        #expect(bench.once(.read, []).sw == "6A86")
        #expect(bench.once(.read, [(.pin, CardBench.defaultPIN1), (.cardID, wrong)]).sw == "6A86")
        let forced = try CardBench(row.firmware, ["start": "loaded", "wrong-code": "6AF1"])
        forced.pin1 = wrong
        #expect(forced.read().sw == "6AF1")
    }

    @Test("after three wrong codes each further one makes the next check slower, a right one ends that")
    func growingDelay() throws {
        let bench = try CardBench("4.12r", ["start": "loaded"])
        var waits: [Int] = []
        for _ in 0..<7 {
            bench.pin1 = wrong
            #expect(bench.read().sw == "6AF1")
            waits.append(bench.pauses.first ?? 0)
        }
        #expect(waits == [0, 0, 0, 0, 100, 200, 300])
        bench.powerCycle()
        bench.pin1 = CardBench.defaultPIN1
        #expect(bench.read().sw == "9000")
        #expect(bench.pauses.first == 400)
        #expect(bench.read().sw == "9000")
        #expect(bench.pauses.isEmpty)
    }

    @Test("passcodes have a count of their own, and the delay stops growing")
    func passcodeDelay() throws {
        let options = [
            "start": "loaded", "wrong-codes-free": "0", "wrong-code-delay": "10s",
            "wrong-code-delay-limit": "25s",
        ]
        let bench = try CardBench("4.12r", options)
        var waits: [Int] = []
        for _ in 0..<5 {
            bench.pin2 = wrong
            #expect(bench.sign([hash]).sw == "6AF2")
            waits.append(bench.pauses.first ?? 0)
        }
        #expect(waits == [0, 1000, 2000, 2500, 2500])
        #expect(bench.read().sw == "9000")
        #expect(bench.pauses.isEmpty)
        // Both delays are paid: that of the codes, then the security delay.
        bench.pin2 = CardBench.defaultPIN2
        #expect(bench.sign([hash]).sw == "9000")
        #expect(bench.pauses.count == 25 + 15)
    }

    @Test("SET_PIN tells what was changed")
    func setPIN() throws {
        let bench = try CardBench("4.12r")
        func set(_ new1: [UInt8], _ new2: [UInt8], _ new3: [UInt8]? = nil) -> String {
            let third = new3.map { [(TangemTag.newPIN3, $0)] } ?? []
            let answer = bench.send(.setPIN, bench.fullAccess + [(.newPIN, new1), (.newPIN2, new2)] + third)
            if answer.sw.hasPrefix("900") {
                #expect(answer.tags == ["01"])
                bench.pin1 = new1
                bench.pin2 = new2
            }
            return answer.sw
        }
        let codes: [[UInt8]] = (1...9).map { [UInt8](repeating: $0, count: 32) }
        #expect(set(bench.pin1, bench.pin2) == "9000")
        #expect(bench.pauses.isEmpty)
        #expect(set(codes[0], bench.pin2) == "9001")
        #expect(bench.pauses.count == 15)
        #expect(set(bench.pin1, codes[1]) == "9002")
        #expect(set(codes[2], codes[3]) == "9003")
        #expect(set(bench.pin1, bench.pin2, codes[0]) == "9004")
        #expect(set(codes[4], bench.pin2, codes[1]) == "9005")
        #expect(set(bench.pin1, codes[5], codes[2]) == "9006")
        #expect(set(codes[6], codes[7], codes[3]) == "9007")
        #expect(set(bench.pin1, [1, 2]) == "6A86")
        #expect(bench.read().sw == "9000")
        bench.powerCycle()
        #expect(bench.read().sw == "9000")
        bench.pin1 = CardBench.defaultPIN1
        #expect(bench.read().sw == "6AF1")
    }

    @Test("a change that the settings forbid is refused")
    func forbidden() throws {
        let code = CardBench.newPIN
        let fixed = try CardBench("2.11r")
        let first: [(TangemTag, [UInt8])] = [(.newPIN, code), (.newPIN2, fixed.pin2)]
        #expect(fixed.send(.setPIN, fixed.fullAccess + first).sw == "6985")
        let second: [(TangemTag, [UInt8])] = [(.newPIN, fixed.pin1), (.newPIN2, code)]
        #expect(fixed.send(.setPIN, fixed.fullAccess + second).sw == "9002")
        let noSecond = try CardBench("4.12r", ["settings": "000ABA11", "code-change-refused": "6A86"])
        #expect(noSecond.send(.setPIN, noSecond.fullAccess + second).sw == "6A86")
        let noDefault = try CardBench("4.12r", ["settings": "000ABAB1", "access-code": code.hex])
        noDefault.pin1 = code
        let back: [(TangemTag, [UInt8])] = [(.newPIN, CardBench.defaultPIN1), (.newPIN2, noDefault.pin2)]
        #expect(noDefault.send(.setPIN, noDefault.fullAccess + back).sw == "6985")
    }

    @Test("from 4.39 on a digest over both codes has to be right")
    func digest() throws {
        let bench = try CardBench("4.45d")
        let codes: [(TangemTag, [UInt8])] = [(.newPIN, CardBench.newPIN), (.newPIN2, bench.pin2)]
        let right = SHA256.digest(CardBench.newPIN + bench.pin2)
        #expect(bench.send(.setPIN, bench.fullAccess + codes + [(.codeHash, wrong)]).sw == "6A86")
        #expect(bench.send(.setPIN, bench.fullAccess + codes + [(.codeHash, right)]).sw == "9001")
    }

    @Test("the printed code is asked for where the settings say so")
    func cvc() throws {
        let bench = try CardBench("4.12r", ["settings": "000ABA71", "start": "loaded", "delay": "0s"])
        #expect(bench.sign([hash]).sw == "6A86")
        #expect(bench.sign([hash], [(.cvc, Array("999".utf8))]).sw == "6A86")
        #expect(bench.sign([hash], [(.cvc, Array("000".utf8))]).sw == "9000")
        #expect(bench.createWallet(index: 1).sw == "6A86")
    }
}
