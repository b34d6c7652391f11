// SPDX-License-Identifier: MIT

public import NBTConstants
public import SmartCard

/// Names for what goes over the wire, for traces and messages.
public enum NBTDictionary {
    /// Finds a file by its word (`FILE_1`, `CC`, `NDEF`, `FAP`).
    public static func file(named word: String) -> NBTFile? { NBTFile(name: word) }

    /// The words of all files.
    public static let fileNames: [String] = NBTFile.all.compactMap(\.name)

    /// The name of a command, for example `SELECT FILE_1`; nil when the chip has no such command.
    public static func name(of command: CommandAPDU) -> String? {
        if command.cla == NBTInstruction.configuratorClass {
            switch command.ins {
            case NBTInstruction.setConfiguration: return "SET CONFIGURATION"
            case NBTInstruction.getConfiguration: return "GET CONFIGURATION"
            default: return nil
            }
        }
        if command.cla == NBTInstruction.passThroughClass { return passThroughName(ins: command.ins) }
        guard command.cla == NBTInstruction.tagClass else { return nil }
        if command.ins == NBTInstruction.changePassword,
            command.p2 & NBTInstruction.changePasswordFlag == 0
        {
            return "UNBLOCK PASSWORD"
        }
        if command.ins == NBTInstruction.personalizeData { return personalizeName(command) }
        return command.ins == NBTInstruction.select ? selectName(command) : names[command.ins]
    }

    /// The name of a command by its bytes; PUT RESPONSE is none of ISO/IEC 7816 and is known all the same.
    public static func name(of bytes: [UInt8]) -> String? {
        if bytes.count >= 4, bytes[0] == NBTInstruction.passThroughClass {
            return passThroughName(ins: bytes[1])
        }
        guard let command = try? CommandAPDU(bytes: bytes) else { return nil }
        return name(of: command)
    }

    private static func passThroughName(ins: UInt8) -> String? {
        switch ins {
        case NBTInstruction.fetchData: "FETCH DATA"
        case NBTInstruction.putResponse: "PUT RESPONSE"
        default: nil
        }
    }

    private static func selectName(_ command: CommandAPDU) -> String {
        if command.p1 == NBTInstruction.selectByName {
            switch command.data {
            case NBTApplication.tag: return "SELECT application"
            case NBTApplication.configurator: return "SELECT configurator"
            case NBTApplication.passThroughExample: return "SELECT pass-through example"
            default: return "SELECT \(command.data.hex)"
            }
        }
        guard command.nc >= 2 else { return "SELECT" }
        let file = NBTFile(rawValue: UInt16(command.data[0]) << 8 | UInt16(command.data[1]))
        return "SELECT \(file.name ?? file.idBytes.hex)"
    }

    private static func personalizeName(_ command: CommandAPDU) -> String {
        guard command.nc >= 2 else { return "PERSONALIZE DATA" }
        let group = UInt16(command.data[0]) << 8 | UInt16(command.data[1])
        switch PersonalizationGroup(rawValue: group) {
        case .cottKey: return "PERSONALIZE DATA token key"
        case .eccKey: return "PERSONALIZE DATA ECC key"
        case .password: return "PERSONALIZE DATA password"
        case .finalize: return "FINALIZE PERSONALIZATION"
        default:
            return "PERSONALIZE DATA \(NBTFile(rawValue: group).name ?? command.data.prefix(2).hex)"
        }
    }

    private static let names: [UInt8: String] = [
        NBTInstruction.readBinary: "READ BINARY",
        NBTInstruction.updateBinary: "UPDATE BINARY",
        NBTInstruction.getData: "GET DATA",
        NBTInstruction.authenticateTag: "AUTHENTICATE TAG",
        NBTInstruction.createPassword: "CREATE PASSWORD",
        NBTInstruction.deletePassword: "DELETE PASSWORD",
        NBTInstruction.changePassword: "CHANGE PASSWORD",
        NBTInstruction.backendTest: "BACKEND TEST",
    ]
}
