// SPDX-License-Identifier: MIT

import CardConnection
import Cryptography
import NBT
import NBTConstants
import Scenario
import SmartCard

/// The password that rules the access policy, where one does.
let masterArgument = ArgumentSpec(
    "master",
    .bytes,
    size: 4...4,
    "master password, 4 bytes, where the policy file's write right is one"
)

extension VerbCall {
    /// Runs the host library, and turns its errors into the verb's end.
    @discardableResult
    func nbt<Result>(
        _ work: (NBTCommandSet) throws(NBTError) -> Result
    ) throws(VerbStop) -> Result {
        do throws(NBTError) {
            return try work(NBTCommandSet(ObservedConnection(self)))
        } catch {
            throw stop(for: error)
        }
    }

    /// The verb's end for an error of the host library.
    func stop(for error: NBTError) -> VerbStop {
        switch error {
        case .transport(let fault): .fault(fault)
        case .unexpectedStatus(let status):
            if let exchange = observation.exchanges.last {
                .status(of: exchange, what: status.command)
            } else {
                .device(name: error.word, detail: "\(error)")
            }
        default: .device(name: error.word, detail: "\(error)")
        }
    }

    /// Makes something of arguments; what the library refuses is a mistake of the scenario.
    func made<Result>(
        of argument: String,
        _ work: () throws(NBTError) -> Result
    ) throws(VerbStop) -> Result {
        do throws(NBTError) {
            return try work()
        } catch {
            if case .refused = error { throw .device(name: error.word, detail: "\(error)") }
            throw wrong(argument, "\(error)")
        }
    }

    /// Sends the one command that a verb is about.
    @discardableResult
    func sendOnly(
        _ argument: String,
        _ command: () throws(NBTError) -> CommandAPDU
    ) throws(VerbStop) -> ResponseAPDU {
        try send(try made(of: argument, command))
    }

    /// A file; nil when left out.
    func nbtFile(_ name: String = "file") throws(VerbStop) -> NBTFile? {
        guard let id = try bytes(name) else { return nil }
        guard id.count == 2 else { throw wrong(name, "a file id has 2 bytes, here are \(id.count)") }
        return NBTFile(rawValue: UInt16(id[0]) << 8 | UInt16(id[1]))
    }

    /// The id of a password.
    func passwordID() throws(VerbStop) -> UInt8 {
        guard let number = try number("id") else { throw wrong("id", "it is missing") }
        guard let id = UInt8(exactly: number), AccessByte.passwordIDs.contains(id) else {
            throw wrong("id", "a password id is 1 to 31, not \(number)")
        }
        return id
    }

    /// A password of an argument; nil when left out.
    func password(_ name: String) throws(VerbStop) -> [UInt8]? {
        guard let value = try bytes(name) else { return nil }
        guard value.count == PasswordLimits.valueSize else {
            throw wrong(name, "a password has 4 bytes, here are \(value.count)")
        }
        return value
    }

    /// Refuses what cannot be undone on a real card, unless its case is one that may.
    func needDestructiveCase(_ what: String) throws(VerbStop) {
        guard !session.allowsDestruction else { return }
        throw .fault(
            TransportFault(
                .permission,
                "\(what) cannot be undone on a real card, and the case is not tagged destructive",
                hint:
                    "tag it destructive, run with --allow-destructive, and put the sample under `allow` of the bench"
            )
        )
    }

    /// Bytes for a challenge: random, or on an emulator such that a run can be repeated byte for byte.
    func challenge(_ count: Int) throws(VerbStop) -> [UInt8] {
        if session.clock.isVirtual {
            var out: [UInt8] = []
            while out.count < count {
                out += SHA256.digest(Array("\(step.position)|\(session.clock.now)|\(out.count)".utf8))
            }
            return Array(out.prefix(count))
        }
        do {
            return try SecureRandom.bytes(count)
        } catch {
            throw .fault(TransportFault(.service, "\(error)"))
        }
    }
}
