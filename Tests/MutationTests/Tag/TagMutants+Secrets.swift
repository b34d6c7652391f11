// SPDX-License-Identifier: MIT

import Cryptography
import NBTConstants
import SmartCard

@testable import NBTEmulator

extension TagMutants {
    // MARK: Passwords

    static let passwords: [Mutant] = [
        rule("password-not-asked", "opens a file without its password", ["passwords.yaml"]) {
            $0.access.isOpen = { right, _ in right != AccessByte.never }
        },
        rule("any-password", "takes any value for the password", ["passwords.yaml"]) {
            $0.passwords.isRight = { _, _ in true }
        },
        around(
            "password-sides-mixed",
            "checks the read password for writing, and the write password for reading",
            ["passwords.yaml"],
            .init(command: { command, _ in
                guard command.count == 14, command.starts(with: [0x00, 0xA4, 0x00]) else { return }
                command[7] ^= 0x52 ^ 0x54
            })
        ),
        rule("tries-not-counted", "does not count wrong values", ["passwords.yaml"]) {
            $0.passwords.triesAfterFailure = { left, _ in left }
        },
        rule("tries-counted-twice", "takes two tries for one wrong value", ["passwords.yaml"]) {
            $0.passwords.triesAfterFailure = { left, _ in left < 2 ? 0 : left - 2 }
        },
        rule("tries-not-restored", "keeps counting after the right value", ["passwords.yaml"]) {
            $0.passwords.triesAfterSuccess = { left, _ in left }
        },
        rule("no-limit-ends", "blocks a password that has no limit", ["passwords.yaml"]) {
            $0.passwords.triesAfterFailure = { left, _ in left == 0 ? 0 : min(left, 127) - 1 }
        },
        rule("blocked-opens", "takes the right value of a blocked password", ["passwords.yaml"]) {
            $0.passwords.isBlocked = { _ in false }
        },
        rule("unblock-does-nothing", "says that a password was unblocked", ["passwords.yaml"]) {
            $0.passwords.triesAfterUnblock = { left, _ in left }
        },
        rule("select-forgets-nothing", "keeps a password beyond the next SELECT", ["passwords.yaml"]) {
            $0.passwords.areForgottenBySelect = false
        },
        rule("any-response", "takes a response that means something else", ["passwords.yaml"]) {
            $0.passwords.isResponse = { _ in true }
        },
        rule("any-limit", "takes any number of tries", ["passwords.yaml"]) {
            $0.passwords.isLimit = { _, _ in true }
        },
        rule("any-id", "takes the id 00", ["passwords.yaml"]) {
            $0.passwords.isID = { _ in true }
        },
        rule("one-password-too-many", "takes 29 passwords", ["passwords.yaml"]) {
            $0.passwords.countLimit = 29
        },
        rule("password-overwritten", "creates a password whose id is in use", ["passwords.yaml"]) {
            $0.passwords.mayReplace = true
        },
        around(
            "change-does-nothing",
            "says that a password was changed, and keeps the old one",
            ["passwords.yaml"],
            .init(isIgnored: { command, _ in command[1] == 0x24 && command[3] & 0x40 != 0 })
        ),
        around(
            "delete-does-nothing",
            "says that a password was deleted, and keeps it",
            ["passwords.yaml"],
            .init(isIgnored: { command, _ in command[1] == 0xE4 })
        ),
    ]

    static let masters: [Mutant] = [
        master("unblock-without-master", "UNBLOCK and CHANGE", 0x24),
        master("create-without-master", "CREATE", 0xE1),
        master("delete-without-master", "DELETE", 0xE4),
    ]

    private static func master(_ name: String, _ commands: String, _ instruction: UInt8) -> Mutant {
        rule(name, "does not ask for the master password with \(commands)", ["passwords.yaml"]) {
            $0.passwords.needsMaster = { asked, right in
                asked != instruction && right & AccessByte.passwordFlag != 0
            }
        }
    }

    // MARK: Personalization and configurator

    static let lifeCycle: [Mutant] = [
        rule(
            "finalize-does-nothing",
            "says that personalization ended, and goes on",
            ["personalization.yaml"]
        ) {
            $0.lifeCycle.finalized = { $0 }
        },
        rule("finalize-does-not-lock", "takes keys in the operational state", ["personalization.yaml"]) {
            $0.lifeCycle.isPersonalizable = { _ in true }
        },
        rule("short-key", "wants an AES key of 15 bytes", ["personalization.yaml"]) {
            $0.lifeCycle.cottKeySize = 15
        },
        around(
            "group-length-unchecked",
            "cuts or fills a key that has not its length",
            ["personalization.yaml"],
            .init(command: { command, _ in
                guard command.count > 8, command[1] == 0xE2, command[5...6] == [0xA0, 0x01] else { return }
                let key = Array((command.dropFirst(8) + [UInt8](repeating: 0, count: 16)).prefix(16))
                command = Array(command.prefix(4)) + [19, 0xA0, 0x01, 16] + key
            })
        ),
        around(
            "key-not-taken",
            "says that a key was written, and keeps the old one",
            ["personalization.yaml"],
            .init(isIgnored: { command, _ in
                command.count == 40 && command[1] == 0xE2 && command[5...6] == [0xA0, 0x02]
            })
        ),
    ]

    static let configurator: [Mutant] = [
        rule("any-setting", "takes values that there are not", ["configuration.yaml"]) {
            $0.configurator.isAllowed = { _, _ in true }
        },
        rule("name-writable", "lets the product's name be written", ["configuration.yaml"]) {
            $0.configurator.isWritable = { _ in true }
        },
        rule("counts-at-once", "uses a setting before the reset", ["configuration.yaml"]) {
            $0.configurator.countsAtOnce = true
        },
        rule("interfaces-ignored", "answers over an interface that is switched off", ["configuration.yaml"]) {
            $0.configurator.isOn = { _, _ in true }
        },
    ]

    // MARK: Proofs

    static let proofs: [Mutant] = [
        rule("signs-hash", "signs the hash of the challenge as if it were the challenge", ["brand.yaml"]) {
            $0.proof.signedMessage = { SHA256.digest($0) }
        },
        rule("signs-always-the-same", "signs the same bytes, whatever the challenge", ["brand.yaml"]) {
            $0.proof.signedMessage = { _ in [UInt8](repeating: 0, count: 8) }
        },
        rule("signature-not-der", "gives the signature in another form", ["brand.yaml"]) {
            $0.proof.encodedSignature = { [0x31] + $0.der.dropFirst() }
        },
        rule("token-not-fresh", "shows the same token at each tap", ["brand.yaml"]) {
            $0.proof.isTokenFresh = false
        },
        rule("token-code-wrong", "leaves the last byte out of the token's code", ["brand.yaml"]) {
            $0.proof.authenticatedPart = { Array($0.dropLast()) }
        },
        rule("token-header-wrong", "begins its tokens with another header", ["brand.yaml"]) {
            $0.proof.tokenHeader = [0x00, 0x02]
        },
        rule("token-of-another", "names another UID in its tokens", ["brand.yaml"]) {
            $0.proof.tokenUID = { $0.reversed() }
        },
        rule("token-for-host", "shows the token to the host as well", ["i2c.yaml"]) {
            $0.proof.seesToken = { _ in true }
        },
    ]

    // MARK: Pass-through

    static let passThrough: [Mutant] = [
        rule("events-not-cleared", "tells the host the same events again", ["i2c.yaml"]) {
            $0.passThrough.eventsAfterFetch = { $0 }
        },
        rule(
            "always-passes-through",
            "hands foreign applications to the host unasked",
            ["configuration.yaml"]
        ) {
            $0.passThrough.isEnabled = { _ in true }
        },
        rule("never-passes-through", "never hands a command to the host", ["pass-through.yaml"]) {
            $0.passThrough.isEnabled = { _ in false }
        },
        around(
            "command-cut",
            "hands the host a command without its last byte",
            ["pass-through.yaml"],
            .init(command: { command, _ in
                if command.starts(with: [0x00, 0x00]) { command.removeLast() }
            })
        ),
    ]
}
