// SPDX-License-Identifier: MIT

import NBTConstants
public import SmartCard

/// What a status word means after a certain command.
///
/// Source: the status tables of the vendor's public libraries (MIT), in own words.
public enum NBTStatusMeaning {
    /// The meaning in words.
    ///
    /// - Parameters:
    ///   - sw: The status word.
    ///   - command: The command that it answers.
    /// - Returns: nil when no source tells.
    public static func text(_ sw: StatusWord, after command: CommandAPDU) -> String? {
        if sw == .success { return "success" }
        let table =
            command.cla == NBTInstruction.configuratorClass ? configurator[sw] : tag[command.ins]?[sw]
        return table ?? general[sw]
    }

    private static let tag: [UInt8: [StatusWord: String]] = [
        NBTInstruction.select: [
            NBTStatus.wrongLength: "Lc or Le is wrong",
            NBTStatus.notFound: "there is no such application or file",
            NBTStatus.wrongData: "the passwords in the command are malformed",
        ],
        NBTInstruction.readBinary: [
            NBTStatus.noFileSelected: "no file is selected",
            NBTStatus.wrongLength: "the offset lies beyond the file, or Le is missing or extended",
            NBTStatus.securityNotSatisfied:
                "the file may not be read here, or its password was not presented",
        ],
        NBTInstruction.updateBinary: [
            NBTStatus.noFileSelected: "no file is selected",
            NBTStatus.wrongLength: "a length is wrong",
            NBTStatus.securityNotSatisfied:
                "the file may not be written here, or its password was not presented",
            NBTStatus.conditionsNotSatisfied:
                "offsets 02 to 0E of the capability container cannot be written",
            NBTStatus.wrongData: "the policy record names an unknown file or has a wrong format",
            NBTStatus.wrongParameters: "the offset lies beyond the file",
        ],
        NBTInstruction.getData: [
            NBTStatus.wrongParameters: "P1-P2 name no known object",
            NBTStatus.wrongLength: "Lc is present, or Le is not 00",
        ],
    ]

    private static let configurator: [StatusWord: String] = [
        NBTStatus.wrongLength: "a length is wrong",
        NBTStatus.conditionsNotSatisfied: "the setting cannot be changed in this state",
        NBTStatus.wrongData: "the tag or the value is wrong",
        NBTStatus.wrongParameters: "P1-P2 are not 0000",
        NBTStatus.unknownToConfigurator: "the configurator does not know this class or instruction",
    ]

    private static let general: [StatusWord: String] = [
        NBTStatus.unknownInstruction: "the instruction is not known",
        NBTStatus.unknownClass: "the class is not known",
    ]
}
