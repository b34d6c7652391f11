// SPDX-License-Identifier: MIT

public import TangemConstants

/// WRITE_USER_DATA: data and counters of the user, protected by the passcode or not.
public struct WriteUserDataCommand: TangemCommand {
    /// Data that need no passcode; nil to leave them.
    public let data: [UInt8]?
    /// Counter beside them; nil to leave it.
    public let counter: UInt32?
    /// Data that need the passcode; nil to leave them.
    public let protectedData: [UInt8]?
    /// Counter beside them; nil to leave it.
    public let protectedCounter: UInt32?

    /// Makes the command.
    public init(
        data: [UInt8]? = nil,
        counter: UInt32? = nil,
        protectedData: [UInt8]? = nil,
        protectedCounter: UInt32? = nil
    ) {
        self.data = data
        self.counter = counter
        self.protectedData = protectedData
        self.protectedCounter = protectedCounter
    }

    /// WRITE_USER_DATA.
    public var instruction: TangemInstruction { .writeUserData }
    /// True when protected values are written.
    public var needsPasscode: Bool { protectedData != nil || protectedCounter != nil }

    /// The firmware must have user data, and the sizes must fit.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkHasUserData()
        for part in [data, protectedData] {
            guard let part, part.count > TangemLimits.dataSize else { continue }
            throw TangemError(
                .dataSizeTooLarge,
                "\(part.count) bytes, \(TangemLimits.dataSize) are the limit"
            )
        }
    }

    /// Identifier, access code, the values, and the passcode for protected ones.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.cardID, .pin)
        objects.add(.userData, data)
        if let counter { try objects.add(.userCounter, number: Int(counter), count: 4) }
        objects.add(.userProtectedData, protectedData)
        if let protectedCounter {
            try objects.add(.userProtectedCounter, number: Int(protectedCounter), count: 4)
        }
        if needsPasscode { objects.add(.pin2, context.passcode.digest) }
        return objects
    }

    /// Nothing of interest.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> DoneAnswer {
        DoneAnswer(sw: answer.sw)
    }
}

/// READ_USER_DATA.
public struct ReadUserDataCommand: TangemCommand {
    /// Data and counters of the user.
    public struct Answer: Hashable, Sendable {
        /// Data that need no passcode.
        public let data: [UInt8]
        /// Data that need the passcode to be written.
        public let protectedData: [UInt8]
        /// Counter beside the data.
        public let counter: Int
        /// Counter beside the protected data.
        public let protectedCounter: Int
    }

    /// Makes the command.
    public init() {}

    /// READ_USER_DATA.
    public var instruction: TangemInstruction { .readUserData }

    /// The firmware must have user data.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkHasUserData()
    }

    /// Identifier and access code.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        try context.objects(.cardID, .pin)
    }

    /// All four values.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        Answer(
            data: try answer.objects.required(.userData),
            protectedData: try answer.objects.required(.userProtectedData),
            counter: try answer.objects.requiredNumber(.userCounter),
            protectedCounter: try answer.objects.requiredNumber(.userProtectedCounter)
        )
    }
}

extension CardRecord {
    fileprivate func checkHasUserData() throws(TangemError) {
        guard !has(.linkedTerminal) || has(.userDataAgain) else {
            throw TangemError(
                .notSupportedFirmwareVersion,
                "user data are there below firmware 2.30 and from 3.34, this card has \(firmware)"
            )
        }
    }
}
