// SPDX-License-Identifier: MIT

import JSONText
import Routes
import Runner
import SmartCard
import TangemConstants
import TangemEmulator

/// The faults of a wallet card that the shipped scenarios must notice.
enum WalletMutants {
    static let all = signing + delays + codes + wallets + data + files + proofs + sets + limits + firmware

    /// A mutant by a card around the card.
    static func around(
        _ name: String,
        _ fault: String,
        _ files: [String],
        _ instructions: TangemInstruction...,
        change: @Sendable (inout FaultyWalletCard.Fault) -> Void
    ) -> Mutant {
        var value = FaultyWalletCard.Fault(instructions)
        change(&value)
        let made = value
        return Mutant(
            name: name,
            fault: fault,
            files: files,
            card: { device in
                guard let card = device.card as? TangemCard else { return device.card }
                return FaultyWalletCard(card, made)
            }
        )
    }

    /// A mutant by another value of an option.
    static func option(
        _ name: String,
        _ fault: String,
        _ files: [String],
        _ option: String,
        _ value: String
    ) -> Mutant {
        Mutant(name: name, fault: fault, files: files, settle: { $0.options[option] = value })
    }

    // MARK: Signatures and counters

    private static let signing: [Mutant] = [
        around("sign-other-bytes", "signs other bytes than it was given", ["sign.yaml"], .sign) {
            $0.command = { command, _ in command.objects.spoil(.transactionOutHash) }
        },
        around("sign-other-wallet", "signs with another wallet than the one named", ["counters.yaml"], .sign)
        {
            $0.command = { command, _ in
                if command.objects[.walletIndex] == [1] { command.objects[.walletIndex] = [0] }
            }
        },
        around(
            "sign-without-path",
            "signs with the wallet's own key where a path is given",
            ["derive.yaml"],
            .sign
        ) {
            $0.command = { command, _ in command.objects[.walletHDPath] = nil }
        },
        around("hashes-not-counted", "does not count signed hashes", ["counters.yaml"], .sign) {
            $0.after = { memory, old, _ in
                for slot in 0..<memory.count("slots") {
                    memory["slots.\(slot).signed"] = old["slots.\(slot).signed"]
                }
            }
            $0.reply = { reply, _ in
                if reply.objects[.walletSignedHashes] != nil {
                    reply.objects[.walletSignedHashes] = [0, 0, 0, 0]
                }
            }
        },
        around(
            "hashes-counted-at-read",
            "counts signed hashes in its answers, but forgets them",
            ["counters.yaml"],
            .sign
        ) {
            $0.after = { memory, old, _ in
                for slot in 0..<memory.count("slots") {
                    memory["slots.\(slot).signed"] = old["slots.\(slot).signed"]
                }
            }
        },
        around(
            "operations-not-lowered",
            "does not lower the operations that are left",
            ["counters.yaml"],
            .sign
        ) {
            $0.after = { memory, old, _ in memory["slots.0.remaining"] = old["slots.0.remaining"] }
        },
        around("operations-without-end", "signs although no operation is left", ["counters.yaml"], .sign) {
            $0.before = { memory, _ in
                if memory["slots.0.remaining"]?.integer == 0 { memory["slots.0.remaining"] = 5 }
            }
        },
        around("user-counters-stand", "does not raise the user's counters", ["counters.yaml"], .sign) {
            $0.after = { memory, old, _ in
                memory["user-counter"] = old["user-counter"]
                memory["user-protected-counter"] = old["user-protected-counter"]
            }
        },
        option(
            "too-many-hashes",
            "signs more hashes than a command may hold",
            ["card-rules.yaml"],
            "hash-limit",
            "16"
        ),
    ]

    // MARK: Delays

    private static let delays: [Mutant] = [
        around("delay-skipped", "signs without the security delay", ["delays.yaml"], .sign) {
            $0.before = { memory, _ in memory["identity.pause"] = 0 }
            $0.after = { memory, old, _ in memory["identity.pause"] = old["identity.pause"] }
        },
        around(
            "long-delay-cut-short",
            "waits ten seconds at most",
            ["delays.yaml"],
            .sign
        ) {
            $0.before = { memory, _ in
                if let pause = memory["identity.pause"]?.integer, pause > 1000 {
                    memory["identity.pause"] = 1000
                }
            }
            $0.after = { memory, old, _ in memory["identity.pause"] = old["identity.pause"] }
        },
        around(
            "delay-skipped-at-data",
            "writes protected data without the security delay",
            ["delays.yaml"],
            .writeUserData
        ) {
            $0.before = { memory, _ in memory["identity.pause"] = 0 }
            $0.after = { memory, old, _ in memory["identity.pause"] = old["identity.pause"] }
        },
        around("delay-told-wrong", "tells another time than is left", ["delays.yaml"], .sign) {
            $0.reply = { reply, _ in reply.objects.spoil(.pause) }
        },
        option(
            "delay-too-fast",
            "lets the delay pass in half of its time",
            ["delays.yaml"],
            "delay-scale",
            "2"
        ),
        option(
            "delay-despite-passcode",
            "waits although the passcode stands in",
            ["delays.yaml"],
            "smart-delay",
            "no"
        ),
        option(
            "wrong-codes-are-free",
            "does not grow slower with wrong codes",
            ["delays.yaml"],
            "wrong-code-delay",
            "0s"
        ),
        around("terminal-forgotten", "does not remember a linked terminal", ["delays.yaml"], .sign) {
            $0.after = { memory, _, _ in memory["terminal"] = .null }
        },
    ]

    // MARK: Codes

    private static let codes: [Mutant] = [
        around("passcode-not-checked", "signs with any passcode", ["sign.yaml"], .sign) {
            $0.command = { command, memory in command.objects[.pin2] = memory.bytes("pin2") }
        },
        around("access-code-not-checked", "answers READ with any access code", ["card-rules.yaml"], .read) {
            $0.command = { command, memory in command.objects[.pin] = memory.bytes("pin1") }
        },
        around(
            "data-without-passcode",
            "writes protected data with any passcode",
            ["user-data.yaml"],
            .writeUserData
        ) {
            $0.command = { command, memory in
                if command.objects[.pin2] != nil { command.objects[.pin2] = memory.bytes("pin2") }
            }
        },
        around(
            "code-change-lost",
            "says that a code was changed, and keeps the old one",
            ["codes.yaml"],
            .setPIN
        ) {
            $0.after = { memory, old, _ in
                memory["pin1"] = old["pin1"]
                memory["pin2"] = old["pin2"]
            }
        },
        around(
            "code-change-other-word",
            "tells another change of codes than it made",
            ["codes.yaml"],
            .setPIN
        ) {
            $0.reply = { reply, _ in
                if reply.sw == TangemStatus.pin1Changed { reply.sw = TangemStatus.pins12Changed }
            }
        },
        around("code-digest-ignored", "takes new codes with a digest of others", ["card-rules.yaml"], .setPIN)
        {
            $0.command = { command, _ in command.objects[.codeHash] = nil }
        },
        around("fixed-codes-changed", "changes codes that its settings fix", ["card-rules.yaml"], .setPIN) {
            $0.before = { memory, _ in memory.change("identity.settings", set: 0x30) }
            $0.after = { memory, old, _ in memory["identity.settings"] = old["identity.settings"] }
        },
        around(
            "default-code-taken",
            "takes the default access code that its settings forbid",
            ["codes.yaml"],
            .setPIN
        ) {
            $0.before = { memory, _ in memory.change("identity.settings", clear: 0x80) }
            $0.after = { memory, old, _ in memory["identity.settings"] = old["identity.settings"] }
        },
        around(
            "codes-always-default",
            "says that codes are the defaults when they are not",
            ["codes.yaml"],
            .read
        ) {
            $0.reply = { reply, command in
                guard command.objects[.interactionMode] == [1], reply.sw == .success else { return }
                reply.objects[.isPIN2Default] = [1]
                reply.objects[.isPINDefault] = [1]
            }
        },
        option(
            "encryption-not-asked-for",
            "answers in the clear what must be encrypted",
            ["encryption.yaml"],
            "encryption",
            "none"
        ),
    ]
}
