// SPDX-License-Identifier: MIT

import Foundation
import JSONText
import RunRecord
import Runner
import SmartCard
import TangemConstants
import Testing

/// One scenario on two profiles: the traces differ only where the firmware does.
@Suite struct TangemFirmwareTests {
    private static let scenario = """
        rig: 1
        suite: t
        target: tangem
        options: { keys: test, start: loaded, delay: 1s, wallets: 3, card-id: BB03000000000004, uid: 04112233445566 }
        vars:
          hash: { sha256: "what is signed" }
        cases:
          - name: a card's life
            steps:
              - scan: {}
                capture: { key: "wallets(0).publicKey" }
              - sign: { wallet: "${key}", hashes: ["${hash}"] }
              - attest-card: {}
              - attest-wallet: { wallet: "${key}" }
              - create-wallet: { curve: secp256k1 }
              - write-issuer-data: { data: "0102", counter: 1 }
              - read-issuer-data: {}
              - write-user-data: { data: "0304" }
              - read-user-data: {}
              - write-file: "050607"
              - read-files: {}
              - delete-files: [0]
              - set-access-code: { new: "1234" }
              - scan: { access-code: wrong }
                expect: { error: [wrongAccessCode, accessCodeRequired] }
              - purge: { wallet: "${key}", access-code: "1234" }
        """

    /// Where 4.45d differs from 4.12r, and what the protocol's description says of it.
    ///
    /// A difference is `command`, `>` for the command or `<` for its answer, the path of the object, and how.
    private static let documented: [String: String] = [
        "READ < 80 changed": "the text of the firmware",
        "READ < 0A changed": "the mask of the profile: HD wallets and backup came with 4.39",
        "READ < 5A added": "from 4.33 on the card tells whether the access code is the default",
        "READ < D0 added": "status of the backup, from 4.39",
        "READ < 68.6B added": "chain codes of HD wallets, from 4.39",
        "ATTEST_WALLET_KEY < 02 added": "our choice, option attest-status: no source gives its version",
        "ATTEST_WALLET_KEY < 04 changed": "our choice, option attest-status: the card signs what it tells",
        "CREATE_WALLET < 02 added": "from 4.25 on the answer is the wallet's record",
        "CREATE_WALLET < 05 added": "from 4.25 on the answer is the wallet's record",
        "CREATE_WALLET < 0A added": "from 4.25 on the answer is the wallet's record",
        "CREATE_WALLET < 63 added": "from 4.25 on the answer is the wallet's record",
        "CREATE_WALLET < 6B added": "chain codes of HD wallets, from 4.39",
        "SET_PIN > 42 added": "the digest over both codes, from 4.39",
    ]

    @Test func `4.12r and 4.45d differ where the protocol says, and nowhere else`() throws {
        let old = try exchanges("4.12r")
        let new = try exchanges("4.45d")
        #expect(old.map(\.name) == new.map(\.name))
        var seen: Set<String> = []
        for (a, b) in zip(old, new) {
            seen.formUnion(Self.differences(a.command, b.command).map { "\(a.name) > \($0)" })
            seen.formUnion(Self.differences(a.answer, b.answer).map { "\(a.name) < \($0)" })
            #expect(a.sw == b.sw, "\(a.name)")
        }
        #expect(seen.sorted() == Self.documented.keys.sorted())
    }

    private struct Exchange {
        let name: String
        let command: [String: [UInt8]]
        let answer: [String: [UInt8]]
        let sw: String
    }

    private func exchanges(_ firmware: String) throws -> [Exchange] {
        let bench = try ScenarioBench()
        bench.options.firmware = firmware
        let record = try bench.run(Self.scenario)
        #expect(record.messages == [])
        let attempt = try #require(record.suites.first?.cases.first?.attempts.first)
        return try bench.traceRecords(attempt.trace).compactMap { line in
            guard let command = line["c"]?.string, let answer = line["r"]?.string else { return nil }
            // Codes are hidden; what is hidden in one is hidden in the other.
            let sent = try HexText.bytes(command.replacingOccurrences(of: "**", with: "00"))
            let received = try HexText.bytes(answer.replacingOccurrences(of: "**", with: "00"))
            let instruction = TangemInstruction(rawValue: sent[1])
            return Exchange(
                name: instruction.name ?? command,
                command: instruction == .select ? [:] : Self.objects(sent.dropFirst(7)),
                answer: Self.objects(received.dropLast(2)),
                sw: String(answer.suffix(4))
            )
        }
    }

    /// The objects of a flat list by their path; one that comes several times has its number behind it.
    private static func objects(_ bytes: ArraySlice<UInt8>, in path: String = "") -> [String: [UInt8]] {
        var out: [String: [UInt8]] = [:]
        var counts: [UInt8: Int] = [:]
        var rest = bytes
        while let tag = rest.popFirst(), var length = rest.popFirst().map(Int.init) {
            if length == 0xFF, let high = rest.popFirst(), let low = rest.popFirst() {
                length = Int(high) << 8 | Int(low)
            }
            let value = rest.prefix(length)
            rest = rest.dropFirst(length)
            let number = counts[tag, default: 0]
            counts[tag] = number + 1
            let name = path + String(format: "%02X", tag)
            if tag == TangemTag.cardWallet.rawValue {
                for (inner, value) in objects(value, in: "\(name).") { out["\(inner)#\(number)"] = value }
            } else {
                out[number == 0 ? name : "\(name)#\(number)"] = Array(value)
            }
        }
        return out
    }

    /// What is other in the second list, without the numbers of objects.
    private static func differences(_ a: [String: [UInt8]], _ b: [String: [UInt8]]) -> Set<String> {
        var out: Set<String> = []
        for key in Set(a.keys).union(b.keys) {
            let path = key.prefix { $0 != "#" }
            switch (a[key], b[key]) {
            case (nil, _?): out.insert("\(path) added")
            case (_?, nil): out.insert("\(path) gone")
            case (let x?, let y?) where x != y: out.insert("\(path) changed")
            default: break
            }
        }
        return out
    }
}
