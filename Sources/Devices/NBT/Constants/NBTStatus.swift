// SPDX-License-Identifier: MIT

public import SmartCard

/// Status words that the chip is known to answer.
///
/// Source: the status tables of the vendor's public host libraries (MIT). What one means depends on the command.
public enum NBTStatus {
    /// `6700`: a length does not fit.
    public static let wrongLength = StatusWord(rawValue: 0x6700)
    /// `6982`: the file's policy does not allow it.
    public static let securityNotSatisfied = StatusWord(rawValue: 0x6982)
    /// `6985`: conditions of use are not met.
    public static let conditionsNotSatisfied = StatusWord(rawValue: 0x6985)
    /// `6986`: no file is selected.
    public static let noFileSelected = StatusWord(rawValue: 0x6986)
    /// `6A00`: the configurator does not know the command.
    public static let unknownToConfigurator = StatusWord(rawValue: 0x6A00)
    /// `6A80`: the command data are wrong.
    public static let wrongData = StatusWord(rawValue: 0x6A80)
    /// `6A82`: no such application or file.
    public static let notFound = StatusWord(rawValue: 0x6A82)
    /// `6A86`: P1-P2 are wrong.
    public static let wrongParameters = StatusWord(rawValue: 0x6A86)
    /// `6A88`: no such password or data object.
    public static let referenceNotFound = StatusWord(rawValue: 0x6A88)
    /// `6D00`: unknown instruction; what the chip says is not published.
    public static let unknownInstruction = StatusWord(rawValue: 0x6D00)
    /// `6E00`: unknown class; what the chip says is not published.
    public static let unknownClass = StatusWord(rawValue: 0x6E00)
}
