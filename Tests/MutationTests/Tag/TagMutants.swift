// SPDX-License-Identifier: MIT

import CardConnection
import NBTConstants
import Routes
import Runner
import SmartCard

@testable import NBTEmulator

/// Chips with one fault each.
enum TagMutants {
    static let all =
        access + reading + status + power + passwords + masters + lifeCycle + configurator
        + proofs + passThrough

    /// A chip that decides one thing wrongly.
    static func rule(
        _ name: String,
        _ fault: String,
        _ files: [String],
        _ change: @escaping @Sendable (inout ChipRules) -> Void
    ) -> Mutant {
        var mutant = Mutant(name: name, fault: fault, files: files)
        mutant.device = { setup, clock throws(TransportFault) in
            var rules = ChipRules()
            change(&rules)
            return try FaultyChip.device(setup, clock, rules: rules)
        }
        return mutant
    }

    /// A chip behind something that changes its commands or answers.
    static func around(_ name: String, _ fault: String, _ files: [String], _ wrong: FaultyTag.Fault) -> Mutant
    {
        var mutant = Mutant(name: name, fault: fault, files: files)
        mutant.card = { FaultyTag($0.card, wrong) }
        return mutant
    }

    /// A chip that answers one status word where it means another.
    static func word(_ name: String, _ right: UInt16, _ wrong: UInt16, _ files: [String]) -> Mutant {
        let words = (StatusWord(rawValue: right), StatusWord(rawValue: wrong))
        return rule(name, "answers \(words.1) where \(words.0) is meant", files) {
            $0.status = { _, sw in sw == words.0 ? words.1 : sw }
        }
    }

    // MARK: Who may write what

    static let access: [Mutant] = [
        rule("right-not-enforced", "lets everybody read and write", ["policy.yaml"]) {
            $0.access.isOpen = { _, _ in true }
        },
        rule("never-is-always", "takes the right 'never' for 'always'", ["policy.yaml"]) {
            $0.access.isOpen = { right, isPresented in
                right == AccessByte.never || right == AccessByte.always || isPresented
            }
        },
        rule("password-opens-nothing", "keeps a file closed after its password", ["passwords.yaml"]) {
            $0.access.isOpen = { right, _ in right == AccessByte.always }
        },
        rule("container-head-writable", "lets the head of the container be written", ["policy.yaml"]) {
            $0.access.isContainerWritable = { _ in true }
        },
        rule("container-head-short", "protects one byte too few of the container", ["policy.yaml"]) {
            $0.access.isContainerWritable = { !(0x02..<0x0E).overlaps($0) }
        },
        rule("any-right", "takes any byte for a right", ["negative.yaml"]) {
            $0.access.isRight = { _ in true }
        },
        rule("host-in-field", "answers on I2C while the field is on", ["i2c.yaml"]) {
            $0.access.fieldSilencesI2C = { _ in false }
        },
        around(
            "policy-ignored",
            "says that a policy record was written, and keeps the old one",
            ["policy.yaml"],
            .init(isIgnored: { command, file in command[1] == 0xD6 && file == [0xE1, 0xAF] })
        ),
        around(
            "policy-of-neighbour",
            "changes the record of the next file",
            ["policy.yaml"],
            .init(command: { command, file in
                guard command.count == 11, command[1] == 0xD6, file == [0xE1, 0xAF], command[6] == 0xA2
                else { return }
                command[6] = 0xA3
            })
        ),
    ]

    // MARK: Reading and writing

    static let reading: [Mutant] = [
        rule("last-byte-not-read", "does not give the last byte of a file", ["files.yaml"]) {
            $0.access.readRange = { $0 < $2 - 1 ? $0..<min($0 + $1, $2 - 1) : nil }
        },
        rule("read-one-short", "gives one byte less than asked for", ["files.yaml"]) {
            $0.access.readRange = { $0 < $2 ? $0..<min($0 + max(0, $1 - 1), $2) : nil }
        },
        rule("read-of-255", "gives 255 bytes for Le 00", ["limits.yaml"]) {
            $0.access.readRange = { $0 < $2 ? $0..<min($0 + min($1, 255), $2) : nil }
        },
        rule("read-beyond-end", "answers a read behind the end with nothing", ["negative.yaml"]) {
            $0.access.readRange = { min($0, $2)..<min($0 + $1, $2) }
        },
        rule("last-byte-not-written", "does not take the last byte of a file", ["files.yaml"]) {
            $0.access.mayEnd = { $0 < $1 }
        },
        rule("write-beyond-end", "has another reason against a write behind the end", ["negative.yaml"]) {
            $0.access.mayStart = { _, _ in true }
        },
        around(
            "offset-ignored",
            "writes to the start of the file, whatever the offset",
            ["files.yaml"],
            .init(command: { command, _ in
                if command[1] == 0xD6 { command.replaceSubrange(2..<4, with: [0, 0]) }
            })
        ),
        around(
            "write-lost",
            "says that a file was written, and forgets it",
            ["app.yaml"],
            .init(isIgnored: { command, file in command[1] == 0xD6 && file == [0xE1, 0xA1] })
        ),
        around(
            "select-gives-data",
            "answers SELECT of a file with data",
            ["app.yaml"],
            .init(answer: { answer, command in
                if command.starts(with: [0x00, 0xA4, 0x00]), answer == [0x90, 0x00] {
                    answer = [0x6F, 0x00] + answer
                }
            })
        ),
    ]

    // MARK: Status words

    static let status: [Mutant] = [
        word("word-not-found", 0x6A82, 0x6A80, ["negative.yaml"]),
        word("word-no-right", 0x6982, 0x6985, ["app.yaml"]),
        word("word-no-file", 0x6986, 0x6985, ["negative.yaml"]),
        word("word-unknown-id", 0x6A88, 0x6A82, ["passwords.yaml"]),
        word("word-configurator", 0x6A00, 0x6D00, ["configuration.yaml"]),
        word("word-parameters", 0x6A86, 0x6B00, ["identity.yaml"]),
        word("word-conditions", 0x6985, 0x6982, ["personalization.yaml"]),
    ]

    // MARK: Power

    static let power: [Mutant] = [
        torn("torn-write-whole", "ends a write though its power is gone") { $0 },
        torn("torn-write-lost", "loses the half of a write that had arrived") { _ in 0 },
        {
            var mutant = Mutant(
                name: "supply-not-used",
                fault: "loses a write with the field though the kit supplies it",
                files: ["tear.yaml"]
            )
            mutant.settle = { $0.options["supply"] = "field" }
            return mutant
        }(),
    ]

    private static func torn(
        _ name: String,
        _ fault: String,
        _ size: @escaping @Sendable (Int) -> Int
    ) -> Mutant {
        var mutant = Mutant(name: name, fault: fault, files: ["tear.yaml"])
        mutant.device = { setup, clock throws(TransportFault) in
            try FaultyChip.device(setup, clock, rules: ChipRules(), cutSize: size)
        }
        return mutant
    }
}
