// SPDX-License-Identifier: MIT

import NBTConstants

/// What FETCH DATA tells the host of the phone's side.
public struct PassThroughRequest: Hashable, Sendable {
    /// The field, layer 4, and whether a command waits.
    public let status: PassThroughStatus
    /// The phone's command; nil when none waits.
    public let command: [UInt8]?

    /// Makes a request.
    public init(status: PassThroughStatus, command: [UInt8]?) {
        self.status = status
        self.command = command
    }
}

/// The status of the pass-through.
public struct PassThroughStatus: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Makes a status from its bits; unknown ones are kept.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Layer 4 was left since the last fetch.
    public static let layer4Left = PassThroughStatus(rawValue: PassThroughBit.layer4Left)
    /// Layer 4 was entered since the last fetch.
    public static let layer4Entered = PassThroughStatus(rawValue: PassThroughBit.layer4Entered)
    /// The field went away since the last fetch.
    public static let fieldLost = PassThroughStatus(rawValue: PassThroughBit.fieldLost)
    /// A field came since the last fetch.
    public static let fieldFound = PassThroughStatus(rawValue: PassThroughBit.fieldFound)
    /// A command of the phone waits.
    public static let commandAvailable = PassThroughStatus(rawValue: PassThroughBit.commandAvailable)
    /// Layer 4 is active.
    public static let layer4Active = PassThroughStatus(rawValue: PassThroughBit.layer4Active)
    /// A field is there.
    public static let fieldPresent = PassThroughStatus(rawValue: PassThroughBit.fieldPresent)

    /// The words of the bits that are set, the lowest first.
    public var words: [String] { Self.words.filter { contains($0.bit) }.map(\.word) }

    /// The bits with their words.
    public static let words: [(word: String, bit: PassThroughStatus)] = [
        ("field-present", .fieldPresent), ("layer4-active", .layer4Active),
        ("command-available", .commandAvailable), ("field-found", .fieldFound), ("field-lost", .fieldLost),
        ("layer4-entered", .layer4Entered), ("layer4-left", .layer4Left),
    ]
}
