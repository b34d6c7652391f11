// SPDX-License-Identifier: MIT

/// Class and instruction bytes of the chip.
///
/// Source: the vendor's public host libraries (MIT); ISO/IEC 7816-4:2013 §11 for the interindustry ones.
public enum NBTInstruction {
    /// Class of the tag application.
    public static let tagClass: UInt8 = 0x00
    /// Class of the configurator.
    public static let configuratorClass: UInt8 = 0x20

    /// SELECT.
    public static let select: UInt8 = 0xA4
    /// READ BINARY.
    public static let readBinary: UInt8 = 0xB0
    /// UPDATE BINARY.
    public static let updateBinary: UInt8 = 0xD6
    /// GET DATA of the tag application, GET CONFIGURATION of the configurator.
    public static let getData: UInt8 = 0x30
    /// SET CONFIGURATION of the configurator.
    public static let setConfiguration: UInt8 = 0x20
    /// GET CONFIGURATION of the configurator; the same number as GET DATA, told apart by the class.
    public static let getConfiguration: UInt8 = 0x30
    /// AUTHENTICATE TAG.
    public static let authenticateTag: UInt8 = 0x88
    /// CREATE PASSWORD.
    public static let createPassword: UInt8 = 0xE1
    /// DELETE PASSWORD.
    public static let deletePassword: UInt8 = 0xE4
    /// CHANGE PASSWORD and UNBLOCK PASSWORD.
    public static let changePassword: UInt8 = 0x24
    /// PERSONALIZE DATA.
    public static let personalizeData: UInt8 = 0xE2
    /// BACKEND TEST, over I2C.
    public static let backendTest: UInt8 = 0xBE

    /// Class of the pass-through commands, which the host sends over I2C.
    public static let passThroughClass: UInt8 = 0x38
    /// FETCH DATA of the pass-through.
    public static let fetchData: UInt8 = 0xCA
    /// PUT RESPONSE of the pass-through.
    public static let putResponse: UInt8 = 0xDA

    /// Bit of P2 that makes a CHANGE PASSWORD of what is an UNBLOCK PASSWORD without it.
    public static let changePasswordFlag: UInt8 = 0x40

    /// P1 of SELECT by application identifier.
    public static let selectByName: UInt8 = 0x04
    /// P1 of SELECT by file identifier.
    public static let selectByID: UInt8 = 0x00
    /// P2 of SELECT by file identifier: no file control information wanted.
    public static let selectWithoutFCI: UInt8 = 0x0C

    /// Tag of a read password inside SELECT.
    public static let readPasswordTag: UInt8 = 0x52
    /// Tag of a write password inside SELECT.
    public static let writePasswordTag: UInt8 = 0x54

    /// P1-P2 of GET DATA for the version.
    public static let versionObject: UInt16 = 0xDF3A
    /// P1-P2 of GET DATA for the free memory.
    public static let memoryObject: UInt16 = 0xDF3B
    /// Template tag around the answers of GET DATA.
    public static let objectTemplate: UInt8 = 0x6F
    /// Tag of the free persistent memory.
    public static let persistentMemoryTag: UInt8 = 0xC6
    /// Tag of the free memory that is cleared on reset.
    public static let clearOnResetMemoryTag: UInt8 = 0xC7
    /// Tag of the free memory that is cleared on deselection.
    public static let clearOnDeselectMemoryTag: UInt8 = 0xC8
}
