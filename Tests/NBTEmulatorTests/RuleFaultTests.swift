// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import NBTConstants
import SmartCard
import Synchronization
import Testing

@testable import NBTEmulator

/// A wrong rule, and commands that show it.
struct RuleFault: Sendable, CustomTestStringConvertible {
    let name: String
    var options: [String: String] = [:]
    let inject: @Sendable (inout ChipRules) -> Void
    let probe: @Sendable (ChipBench) throws -> [String]

    var testDescription: String { name }

    /// A fault that commands over NFC show, after the tag application was selected.
    init(
        _ name: String,
        _ options: [String: String] = [:],
        inject: @escaping @Sendable (inout ChipRules) -> Void,
        commands: [String]
    ) {
        self.init(name, options, inject: inject) { bench in
            bench.chip.nfc.powerOn()
            return try bench.answers(to: [ChipBench.selectTag] + commands, over: .nfc)
        }
    }

    init(
        _ name: String,
        _ options: [String: String] = [:],
        inject: @escaping @Sendable (inout ChipRules) -> Void,
        probe: @escaping @Sendable (ChipBench) throws -> [String]
    ) {
        self.name = name
        self.options = options
        self.inject = inject
        self.probe = probe
    }
}

@Suite("Faults that can be injected")
struct RuleFaultTests {
    @Test("a chip with one wrong rule answers differently", arguments: faults)
    func isSeen(fault: RuleFault) throws {
        var rules = ChipRules()
        fault.inject(&rules)
        let right = try fault.probe(ChipBench(fault.options))
        let wrong = try fault.probe(ChipBench(fault.options, rules: rules))
        #expect(right != wrong)
        // The same chip answers the same: the difference is the rule's.
        #expect(try fault.probe(ChipBench(fault.options)) == right)
    }

    @Test("there are enough of them")
    func count() {
        #expect(Set(Self.faults.map(\.name)).count == Self.faults.count)
        #expect(Self.faults.count >= 40)
    }

    static let faults = access + passwords + lifeCycle + configurator + proofs + passThrough + statusWords

    private static let access = [
        RuleFault(
            "a closed file is read",
            ["state": "adt"],
            inject: { $0.access.isOpen = { _, _ in true } },
            commands: ["00A4000C02E1A3", "00B0000001"]
        ),
        RuleFault(
            "an open file is closed",
            inject: { $0.access.isOpen = { right, _ in right != AccessByte.always } },
            commands: ["00A4000C02E1A1", "00B0000001"]
        ),
        RuleFault(
            "a password is not asked for",
            inject: { $0.access.isOpen = { right, _ in right != AccessByte.never } },
            commands: ["00A4000C02E1AF", "00D6000006E1A181818181", "00A4000C02E1A1", "00B0000001"]
        ),
        RuleFault(
            "the last byte of a file is not read",
            inject: { $0.access.readRange = { $0 < $2 - 1 ? $0..<min($0 + $1, $2 - 1) : nil } },
            commands: ["00A4000C02E1A1", "00B003FF01"]
        ),
        RuleFault(
            "a read gives one byte too few",
            inject: { $0.access.readRange = { $0 < $2 ? $0..<min($0 + max(0, $1 - 1), $2) : nil } },
            commands: ["00A4000C02E1A1", "00B0000002"]
        ),
        RuleFault(
            "a read behind the end gives nothing instead of an error",
            inject: { $0.access.readRange = { min($0, $2)..<min($0 + $1, $2) } },
            commands: ["00A4000C02E1A1", "00B0040001"]
        ),
        RuleFault(
            "the last byte of a file is not written",
            inject: { $0.access.mayEnd = { $0 < $1 } },
            commands: ["00A4000C02E1A1", "00D603FF01AA"]
        ),
        RuleFault(
            "a write behind the end has another reason",
            inject: { $0.access.mayStart = { _, _ in true } },
            commands: ["00A4000C02E1A1", "00D6040001AA"]
        ),
        RuleFault(
            "the head of the container is writable",
            inject: { $0.access.isContainerWritable = { _ in true } },
            commands: [
                "00A4000C02E1AF", "00D6000006E10340404040", "00A4000C02E103", "00D600020110", "00B0000003",
            ]
        ),
        RuleFault(
            "the last byte of the container's head is writable",
            inject: { $0.access.isContainerWritable = { !(0x02..<0x0E).overlaps($0) } },
            commands: ["00A4000C02E1AF", "00D6000006E10340404040", "00A4000C02E103", "00D6000E0110"]
        ),
        RuleFault(
            "any byte is a right",
            inject: { $0.access.isRight = { _ in true } },
            commands: ["00A4000C02E1AF", "00D6000006E1A141414141"]
        ),
        RuleFault("I2C answers in the field", inject: { $0.access.fieldSilencesI2C = { _ in false } }) {
            bench in
            bench.chip.nfc.powerOn()
            return try bench.answers(to: [ChipBench.selectTag], over: .i2c)
        },
    ]

    /// Password 1 reads FILE_1, password 2 writes it.
    private static let protect = [
        "00E1000009011122334412A10002", "00E1000009025566778812A20003", "00A4000C02E1AF",
        "00D6000006E1A181828182",
    ]
    private static let wrong = "00A4000C08E1A15204DEADBEEF00"
    private static let right = "00A4000C08E1A152041122334400"
    /// Password 9 rules the policy.
    private static let master = ["00E100000909A1A2A3A4129A0002", "00A4000C02E1AF", "00D6000006E1AF40894089"]

    private static let passwords = [
        RuleFault(
            "any password is right",
            inject: { $0.passwords.isRight = { _, _ in true } },
            commands: protect + [wrong, "00B0000001"]
        ),
        RuleFault(
            "only the first byte of a password is compared",
            inject: { $0.passwords.isRight = { $0.first == $1.first } },
            commands: protect + ["00A4000C08E1A152041100000000"]
        ),
        RuleFault(
            "a wrong password is not counted",
            inject: { $0.passwords.triesAfterFailure = { left, _ in left } },
            commands: protect + [wrong, wrong, right]
        ),
        RuleFault(
            "a wrong password counts twice",
            inject: { $0.passwords.triesAfterFailure = { left, _ in left > 1 ? left - 2 : 0 } },
            commands: protect + [wrong, right]
        ),
        RuleFault(
            "a password without a limit is counted",
            inject: { $0.passwords.triesAfterFailure = { left, _ in left > 0 ? 0 : left } },
            commands: ["00E1000009011122334412A1FFFF"] + protect.dropFirst(2) + [wrong, right]
        ),
        RuleFault(
            "the right password restores nothing",
            inject: { $0.passwords.triesAfterSuccess = { left, _ in left } },
            commands: protect + [wrong, right, wrong, right]
        ),
        RuleFault(
            "a blocked password still works",
            inject: { $0.passwords.isBlocked = { _ in false } },
            commands: protect + [wrong, wrong, right]
        ),
        RuleFault(
            "a password blocks one try early",
            inject: { $0.passwords.isBlocked = { $0 <= 1 } },
            commands: protect + [wrong, right]
        ),
        RuleFault(
            "UNBLOCK restores nothing",
            inject: { $0.passwords.triesAfterUnblock = { left, _ in left } },
            commands: protect + [wrong, wrong, "00240001", right]
        ),
        RuleFault(
            "UNBLOCK gives one try only",
            inject: { $0.passwords.triesAfterUnblock = { _, _ in 1 } },
            commands: protect + [wrong, wrong, "00240001", wrong, right]
        ),
        RuleFault(
            "UNBLOCK without the master password",
            inject: { $0.passwords.needsMaster = { ins, right in ins != 0x24 && right & 0x80 != 0 } },
            commands: protect + master + ["00240001"]
        ),
        RuleFault(
            "CREATE without the master password",
            inject: { $0.passwords.needsMaster = { ins, right in ins != 0xE1 && right & 0x80 != 0 } },
            commands: protect + master + ["00E1000009051122334412340003"]
        ),
        RuleFault(
            "DELETE without the master password",
            inject: { $0.passwords.needsMaster = { ins, right in ins != 0xE4 && right & 0x80 != 0 } },
            commands: protect + master + ["00E40001"]
        ),
        RuleFault(
            "the master password is always needed",
            inject: { $0.passwords.needsMaster = { _, _ in true } },
            commands: protect
        ),
        RuleFault(
            "the response 0000 is taken",
            inject: { $0.passwords.isResponse = { _ in true } },
            commands: ["00E1000009051122334400000003"]
        ),
        RuleFault(
            "any limit is taken",
            inject: { $0.passwords.isLimit = { _, _ in true } },
            commands: ["00E1000009051122334412340000"]
        ),
        RuleFault(
            "the highest limit is not taken",
            inject: { $0.passwords.isLimit = { $0 > 0 && $0 < $1 } },
            commands: ["00E100000905112233441234007F"]
        ),
        RuleFault(
            "the id 00 is taken",
            inject: { $0.passwords.isID = { $0 <= 0x1F } },
            commands: ["00E1000009001122334412340003"]
        ),
        RuleFault(
            "a password is created twice",
            inject: { $0.passwords.mayReplace = true },
            commands: protect + [protect[0]]
        ),
        RuleFault("one password too many", inject: { $0.passwords.countLimit = 29 }) { bench in
            bench.chip.nfc.powerOn()
            let creations = (UInt8(1)...29).map { "00E1000009\([$0].hex)1122334412340003" }
            return try bench.answers(to: [ChipBench.selectTag] + creations, over: .nfc)
        },
        RuleFault(
            "a password lasts over SELECT",
            inject: { $0.passwords.areForgottenBySelect = false },
            commands: protect + [right, "00A4000C02E1A1", "00B0000001"]
        ),
    ]

    private static let lifeCycle = [
        RuleFault(
            "FINALIZE locks nothing",
            inject: { $0.lifeCycle.isPersonalizable = { _ in true } },
            commands: ["00E2000003BF6300", "00E2000004E1A10142"]
        ),
        RuleFault(
            "FINALIZE leaves the life cycle",
            inject: { $0.lifeCycle.finalized = { $0 } },
            commands: ["00E2000003BF6300", ChipBench.selectConfigurator, "2030000002C021"]
        ),
        RuleFault(
            "an AES key of 15 bytes is taken",
            inject: { $0.lifeCycle.cottKeySize = 15 },
            commands: ["00E2000012A0010F373F5060409BA014B69A627622F23B"]
        ),
        RuleFault(
            "an ECC key of another length is wanted",
            inject: { $0.lifeCycle.eccKeySize = 31 },
            commands: ["00E2000023A002203A31AEE70E5EB5FDDE06B3BC83733E32DAAE7F1DA39731E5C14440F3C43E92B5"]
        ),
    ]

    private static let configurator = [
        RuleFault(
            "any value is taken",
            inject: { $0.configurator.isAllowed = { _, _ in true } },
            commands: [ChipBench.selectConfigurator, "2020000004C0300109"]
        ),
        RuleFault(
            "the life cycle is written",
            inject: { $0.configurator.isWritable = { _ in true } },
            commands: [ChipBench.selectConfigurator, "2020000005C02102C33C"]
        ),
        RuleFault("a setting counts at once", inject: { $0.configurator.countsAtOnce = true }) { bench in
            bench.chip.nfc.powerOn()
            return try bench.answers(
                to: [ChipBench.selectConfigurator, "2020000004C0600101", ChipBench.selectTag],
                over: .nfc
            )
        },
        RuleFault(
            "a locked interface answers",
            ["configuration": "C0600101"],
            inject: { $0.configurator.isOn = { _, _ in true } },
            commands: []
        ),
    ]

    private static let link = ["ndef": Array("cott=\(COTTLayout.placeholder)".utf8).hex]
    private static let reads = ["00A4000C02E104", "00B0000040"]

    private static let proofs = [
        RuleFault(
            "the signature covers the digest twice",
            inject: { $0.proof.signedMessage = { SHA256.digest($0) } },
            commands: ["0088000008001122334455667700"]
        ),
        RuleFault(
            "the signature covers a part of the challenge",
            inject: { $0.proof.signedMessage = { Array($0.prefix(4)) } },
            commands: ["0088000008001122334455667700"]
        ),
        RuleFault(
            "the signature is not DER",
            inject: { $0.proof.encodedSignature = { $0.r + $0.s } },
            commands: ["0088000008001122334455667700"]
        ),
        RuleFault(
            "the token's code covers too little",
            link,
            inject: { $0.proof.authenticatedPart = { Array($0.dropLast()) } },
            commands: reads
        ),
        RuleFault(
            "the token is not fresh",
            link,
            inject: { $0.proof.isTokenFresh = false },
            commands: reads + reads
        ),
        RuleFault(
            "the token has another header",
            link,
            inject: { $0.proof.tokenHeader = [0x00, 0x02] },
            commands: reads
        ),
        RuleFault(
            "the token names another chip",
            link,
            inject: { $0.proof.tokenUID = { $0.reversed() } },
            commands: reads
        ),
        RuleFault(
            "the token is missing",
            link,
            inject: { $0.proof.seesToken = { _ in false } },
            commands: reads
        ),
        RuleFault("I2C sees a token", link, inject: { $0.proof.seesToken = { _ in true } }) { bench in
            try bench.answers(to: [ChipBench.selectTag] + reads, over: .i2c)
        },
    ]

    private static let open = ["configuration": "C0300104"]

    /// Opens the pass-through with a host that does as its commands say.
    private static func host(_ commands: [String]) -> @Sendable (ChipBench) throws -> [String] {
        { bench in
            let seen = Mutex<[String]>([])
            let bytes = try commands.map { try HexText.bytes($0) }
            bench.chip.onHostInterrupt { [weak chip = bench.chip] in
                guard let chip else { return }
                for command in bytes {
                    let text =
                        chip.i2c.respond(to: command).bytes.hex + (chip.isInterruptRaised ? " raised" : "")
                    seen.withLock { $0.append(text) }
                }
            }
            bench.chip.nfc.powerOn()
            let answers = try bench.answers(to: ["00A4040005010203040500", "00000001"], over: .nfc)
            return answers + seen.withLock { $0 }
        }
    }

    private static let passThrough = [
        RuleFault(
            "events are told twice",
            open,
            inject: { $0.passThrough.eventsAfterFetch = { $0 } },
            probe: host(["38CA0000", "38DA0000029000"])
        ),
        RuleFault(
            "a response without a fetch is taken",
            open,
            inject: { $0.passThrough.needsFetch = false },
            probe: host(["38DA0000029000"])
        ),
        RuleFault(
            "the interrupt stays after the fetch",
            open,
            inject: { $0.passThrough.fetchClearsInterrupt = false },
            probe: host(["38CA0000", "38DA0000029000"])
        ),
        RuleFault(
            "pass-through is never opened",
            open,
            inject: { $0.passThrough.isEnabled = { _ in false } },
            probe: host(["38CA0000", "38DA0000029000"])
        ),
    ]

    private static let statusWords = [
        RuleFault(
            "a refused read has another status word",
            ["state": "adt"],
            inject: {
                $0.status = { ins, sw in
                    ins == 0xB0 && sw == NBTStatus.securityNotSatisfied
                        ? NBTStatus.conditionsNotSatisfied : sw
                }
            },
            commands: ["00A4000C02E1A3", "00B0000001"]
        ),
        RuleFault(
            "a refused write says that it succeeded",
            ["state": "adt"],
            inject: { $0.status = { ins, sw in ins == 0xD6 ? .success : sw } },
            commands: ["00A4000C02E1A2", "00D6000001AA"]
        ),
        RuleFault(
            "an unknown file is found",
            inject: { $0.status = { ins, sw in ins == 0xA4 && sw == NBTStatus.notFound ? .success : sw } },
            commands: ["00A4000C02E1A9"]
        ),
    ]
}
