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
        let isUnblock =
            command.ins == NBTInstruction.changePassword
            && command.p2 & NBTInstruction.changePasswordFlag == 0
        return text(sw, cla: command.cla, ins: command.ins, isUnblock: isUnblock)
    }

    static func text(_ sw: StatusWord, cla: UInt8, ins: UInt8, isUnblock: Bool = false) -> String? {
        if sw == .success { return "success" }
        let table: [StatusWord: String]? =
            switch cla {
            case NBTInstruction.configuratorClass: configurator
            case NBTInstruction.passThroughClass: passThrough[ins]
            default: isUnblock ? unblock : tag[ins]
            }
        return table?[sw] ?? general[sw]
    }

    private typealias Meanings = [StatusWord: String]

    private static let tag: [UInt8: Meanings] = [
        NBTInstruction.select: select, NBTInstruction.readBinary: read, NBTInstruction.updateBinary: update,
        NBTInstruction.authenticateTag: authenticate, NBTInstruction.getData: getData,
        NBTInstruction.createPassword: create, NBTInstruction.deletePassword: delete,
        NBTInstruction.changePassword: change, NBTInstruction.personalizeData: personalize,
    ]

    private static let select: Meanings = [
        NBTStatus.wrongLength: "Lc or Le is wrong",
        NBTStatus.notFound: "there is no such application or file",
        NBTStatus.wrongData: "the passwords in the command are malformed",
    ]

    private static let read: Meanings = [
        NBTStatus.noFileSelected: "no file is selected",
        NBTStatus.wrongLength: "the offset lies beyond the file, or Le is missing or extended",
        NBTStatus.securityNotSatisfied: "the file may not be read here, or its password was not presented",
    ]

    private static let update: Meanings = [
        NBTStatus.noFileSelected: "no file is selected",
        NBTStatus.wrongLength: "a length is wrong",
        NBTStatus.securityNotSatisfied: "the file may not be written here, or its password was not presented",
        NBTStatus.conditionsNotSatisfied: "offsets 02 to 0E of the capability container cannot be written",
        NBTStatus.wrongData: "the policy record names an unknown file or has a wrong format",
        NBTStatus.wrongParameters: "the offset lies beyond the file",
    ]

    private static let authenticate: Meanings = [
        NBTStatus.conditionsNotSatisfied: "the chip has no key to sign with",
        NBTStatus.wrongLength: "the challenge is empty, Le is missing, or a length is extended",
        NBTStatus.wrongParameters: "P1-P2 are not 0000",
    ]

    private static let getData: Meanings = [
        NBTStatus.wrongParameters: "P1-P2 name no known object",
        NBTStatus.wrongLength: "Lc is present, or Le is not 00",
        // The vendor's table goes by INS alone, so that these three of GET CONFIGURATION stand here too.
        NBTStatus.conditionsNotSatisfied: "the object cannot be read in this state",
        NBTStatus.wrongData: "the command carries wrong data",
        NBTStatus.unknownToConfigurator: "the class or instruction is not known here",
    ]

    private static let create: Meanings = [
        NBTStatus.wrongParameters: "P1-P2 are not 0000",
        NBTStatus.securityNotSatisfied: masterNeeded,
        NBTStatus.wrongLength: "the body has neither 9 nor 13 bytes, or Le is present",
        NBTStatus.conditionsNotSatisfied: "the password's id exists already, or there are 28 passwords",
        NBTStatus.wrongData:
            "the response is 0000 or FFFF, the id is 00, or the retry limit is 0000 or 0080 to FFFE",
    ]

    private static let delete: Meanings = [
        NBTStatus.securityNotSatisfied: masterNeeded,
        NBTStatus.referenceNotFound: noPassword,
    ]

    private static let change: Meanings = [
        NBTStatus.wrongParameters: "P1 is not 00, or the high bits of P2 are neither 00 nor 01",
        NBTStatus.referenceNotFound: noPassword,
        NBTStatus.wrongLength: "the body has neither 4 nor 8 bytes",
        NBTStatus.conditionsNotSatisfied:
            "the master password is missing or blocked, or the password itself is blocked",
    ]

    private static let unblock: Meanings = [
        NBTStatus.wrongParameters: "P1 is not 00, or the high bits of P2 are neither 00 nor 01",
        NBTStatus.referenceNotFound: noPassword,
        NBTStatus.wrongLength: "the body has neither 0 nor 4 bytes",
        NBTStatus.conditionsNotSatisfied: "the master password is missing or blocked",
    ]

    private static let personalize: Meanings = [
        NBTStatus.wrongData:
            "the length does not suit the data group, Le is present, or a password's response is 0000 or FFFF",
        NBTStatus.referenceNotFound: "there is no such data group",
        NBTStatus.conditionsNotSatisfied:
            "personalization is over, the password's id exists or there are 28, or this product has no ECC",
        NBTStatus.wrongLength: "the command carries no data",
        NBTStatus.wrongParameters: "P1-P2 are not 0000",
    ]

    private static let configurator: Meanings = [
        NBTStatus.notFound: "there is no such application",
        NBTStatus.wrongLength: "a length is wrong",
        NBTStatus.conditionsNotSatisfied: "the setting cannot be changed in this state",
        NBTStatus.wrongData: "the tag or the value is wrong",
        NBTStatus.wrongParameters: "P1-P2 are not 0000",
        NBTStatus.unknownToConfigurator: "the configurator does not know this class or instruction",
    ]

    private static let passThrough: [UInt8: Meanings] = [
        // Which status word says so is not published, so any of the usual ones may.
        NBTInstruction.putResponse: [
            NBTStatus.conditionsNotSatisfied: "no command was fetched that could be answered"
        ]
    ]

    private static let general: Meanings = [
        NBTStatus.unknownInstruction: "the instruction is not known",
        NBTStatus.unknownClass: "the class is not known",
    ]

    private static let masterNeeded = "the master password is missing or wrong"
    private static let noPassword = "there is no password with that id"
}
