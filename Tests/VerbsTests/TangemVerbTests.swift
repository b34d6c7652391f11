// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import Testing
import Verbs

/// What the verbs of the wallet card say without a card that plays along.
@Suite struct TangemVerbTests {
    private func name(_ stop: VerbStop?) -> String? {
        guard case .device(let name, _)? = stop else { return nil }
        return name
    }

    @Test func `A card that does not know READ is told by the library's error`() throws {
        let bench = VerbBench(["00A4040008A000000812010208": "9000", "*": "6D00"])
        let (call, stop) = try bench.call("tangem.scan", target: "tangem")
        #expect(name(stop) == "insNotSupported")
        #expect(call.observation.isJudgedByLibrary)
        #expect(bench.wire.count == 2)
        #expect(bench.wire.last?.hasPrefix("00F2000000002") == true)
    }

    @Test func `A lost card is the fault of the link, and is not looked for`() throws {
        let bench = VerbBench(["*": "9000"])
        bench.faults["00A4040008A000000812010208"] = [TransportFault(.cardRemoved, "gone")]
        let (_, stop) = try bench.call("tangem.scan", target: "tangem")
        guard case .fault(let fault)? = stop else {
            Issue.record("it ended with \(String(describing: stop))")
            return
        }
        #expect(fault.kind == .cardRemoved)
        #expect(bench.events == [])
    }

    @Test(
        arguments: [
            ("tangem.derive", ["wallet": Value.hex("02AA"), "path": .text("m/x")], "path"),
            ("tangem.personalize", ["id": .hex("0102")], "id"),
            ("tangem.personalize", ["id": .hex("BB03000000000004"), "settings": .hex("01")], "settings"),
            ("tangem.sign", ["hashes": .list([.hex("01")])], "wallet"),
        ]
    )
    func `Arguments that cannot be used are told before anything is sent`(
        _ verb: String,
        _ arguments: [String: Value],
        _ named: String
    ) throws {
        let bench = VerbBench(["*": "9000"])
        let (_, stop) = try bench.call(verb, arguments, target: "tangem")
        guard case .argument(let mistake)? = stop else {
            Issue.record("it ended with \(String(describing: stop))")
            return
        }
        #expect(mistake.description.contains("\(named): "))
        #expect(bench.wire == [])
    }

    @Test func `The dictionary names tags and the application`() throws {
        let words = try #require(Dictionaries.of("tangem"))
        #expect(words.tags["walletPublicKey"] == "60")
        #expect(words.tags["cardId"] == "01")
        #expect(words.bytes["WALLET"] == [0xA0, 0x00, 0x00, 0x08, 0x12, 0x01, 0x02, 0x08])
    }
}
