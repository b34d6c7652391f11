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
    .nbtPassword,
    "master password, where the policy file's write right is one"
)

extension ArgumentType {
    /// The value of one of the chip's passwords.
    static let nbtPassword = ArgumentType.bytes(PasswordLimits.valueSize)
}

extension NBTFile {
    /// The file of an argument; nil when it is none.
    init?(_ value: Value) {
        guard case .bytes(let id) = value, id.count == 2 else { return nil }
        self.init(rawValue: UInt16(id[0]) << 8 | UInt16(id[1]))
    }
}

/// What the host library says against an argument that stands in the file; nil when it takes it, or never does.
///
/// What it refuses altogether is for the run to tell, where a step may expect it.
func complaint<Result>(
    about name: String,
    _ work: () throws(NBTError) -> Result
) -> ArgumentRule.Complaint? {
    do throws(NBTError) {
        _ = try work()
        return nil
    } catch {
        guard case .argument(let text) = error else { return nil }
        return ArgumentRule.Complaint(name, text)
    }
}

extension VerbCall {
    /// Runs the host library, and turns its errors into the verb's end.
    @discardableResult
    func nbt<Result>(
        _ work: (NBTCommandSet) throws(NBTError) -> Result
    ) throws(VerbStop) -> Result {
        do throws(NBTError) {
            return try work(
                NBTCommandSet(ObservedConnection(self), isI2C: isI2C)
            )
        } catch {
            throw stop(for: error)
        }
    }

    /// The role of the chip's side towards its micro-controller.
    private static let hostSide = "i2c"

    /// Whether the step's commands go over I2C.
    var isI2C: Bool { step.role == Self.hostSide || session.isI2C }

    /// The verb's end for an error of the host library.
    ///
    /// What the library does not take or not do says nothing of the chip: unless the step asks for the error, an argument
    /// is a mistake of the scenario, and a refusal keeps the case from being judged.
    func stop(for error: NBTError) -> VerbStop {
        switch error {
        case .transport(let fault): .fault(fault)
        case .argument where !expects(error): .argument(ScenarioMistake(step.position, "\(error)"))
        case .refused where !expects(error): .fault(TransportFault(.permission, "\(error)"))
        case .unexpectedStatus(let status):
            if let exchange = observation.lastCommand {
                .status(of: exchange, what: status.command)
            } else {
                .device(name: error.word, detail: "\(error)")
            }
        default: .device(name: error.word, detail: "\(error)")
        }
    }

    private func expects(_ error: NBTError) -> Bool {
        step.expectation?.expectedErrors.contains(error.word) == true
    }

    /// Makes something of arguments; what the library refuses is a mistake of the scenario.
    func made<Result>(
        of argument: String,
        _ work: () throws(NBTError) -> Result
    ) throws(VerbStop) -> Result {
        do throws(NBTError) {
            return try work()
        } catch {
            if case .argument = error, !expects(error) { throw wrong(argument, "\(error)") }
            throw stop(for: error)
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
        guard let file = NBTFile(.bytes(id)) else {
            throw wrong(name, "a file id has 2 bytes, here are \(id.count)")
        }
        return file
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
