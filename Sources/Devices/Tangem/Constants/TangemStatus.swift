// SPDX-License-Identifier: MIT

public import SmartCard

/// Status words of the wallet application.
///
/// Source: the vendor's public host libraries, in the revisions under the MIT licence.
public enum TangemStatus {
    /// `9000`: done; SET_PIN: no code was changed.
    public static let completed = StatusWord(rawValue: 0x9000)
    /// `9001`: the access code was changed.
    public static let pin1Changed = StatusWord(rawValue: 0x9001)
    /// `9002`: the passcode was changed.
    public static let pin2Changed = StatusWord(rawValue: 0x9002)
    /// `9003`: access code and passcode were changed.
    public static let pins12Changed = StatusWord(rawValue: 0x9003)
    /// `9004`: the third code was changed.
    public static let pin3Changed = StatusWord(rawValue: 0x9004)
    /// `9005`: access code and third code were changed.
    public static let pins13Changed = StatusWord(rawValue: 0x9005)
    /// `9006`: passcode and third code were changed.
    public static let pins23Changed = StatusWord(rawValue: 0x9006)
    /// `9007`: all three codes were changed.
    public static let pins123Changed = StatusWord(rawValue: 0x9007)
    /// `6286`: an error inside of the card, or no file left to delete.
    public static let errorProcessingCommand = StatusWord(rawValue: 0x6286)
    /// `6982`: not in this encryption mode.
    public static let needEncryption = StatusWord(rawValue: 0x6982)
    /// `6985`: not in this state.
    public static let invalidState = StatusWord(rawValue: 0x6985)
    /// `6A82`: the index lies behind the last file.
    public static let fileNotFound = StatusWord(rawValue: 0x6A82)
    /// `6A86`: a data object is missing or wrong, a code or signature is wrong, a counter was replayed.
    public static let invalidParameters = StatusWord(rawValue: 0x6A86)
    /// `6A88`: no wallet in that slot.
    public static let walletNotFound = StatusWord(rawValue: 0x6A88)
    /// `6A89`: the key to import is already there.
    public static let walletAlreadyExists = StatusWord(rawValue: 0x6A89)
    /// `6AF1`: the access code is wrong.
    public static let invalidAccessCode = StatusWord(rawValue: 0x6AF1)
    /// `6AF2`: the passcode is wrong.
    public static let invalidPasscode = StatusWord(rawValue: 0x6AF2)
    /// `6D00`: the instruction is unknown or switched off.
    public static let instructionNotSupported = StatusWord(rawValue: 0x6D00)
    /// `9789`: the security delay runs; the same command is to be sent again.
    public static let needPause = StatusWord(rawValue: 0x9789)

    /// Every status word with the name that the vendor's libraries use.
    public static let names: [(sw: StatusWord, name: String)] = [
        (completed, "processCompleted"), (pin1Changed, "pin1Changed"), (pin2Changed, "pin2Changed"),
        (pins12Changed, "pins12Changed"), (pin3Changed, "pin3Changed"), (pins13Changed, "pins13Changed"),
        (pins23Changed, "pins23Changed"), (pins123Changed, "pins123Changed"),
        (errorProcessingCommand, "errorProcessingCommand"), (needEncryption, "needEncryption"),
        (invalidState, "invalidState"), (fileNotFound, "fileNotFound"),
        (invalidParameters, "invalidParams"), (walletNotFound, "walletNotFound"),
        (walletAlreadyExists, "walletAlreadyExists"), (invalidAccessCode, "invalidAccessCode"),
        (invalidPasscode, "invalidPasscode"), (instructionNotSupported, "insNotSupported"),
        (needPause, "needPause"),
    ]
}
