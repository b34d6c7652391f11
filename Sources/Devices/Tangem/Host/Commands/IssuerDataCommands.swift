// SPDX-License-Identifier: MIT

public import TangemConstants

/// WRITE_ISSUER_DATA: up to 512 bytes that the issuer signed.
public struct WriteIssuerDataCommand: TangemCommand {
    /// The data.
    public let data: [UInt8]
    /// Signature of the issuer, 64 bytes.
    public let signature: [UInt8]
    /// A counter that grows with each change; nil for none.
    public let counter: UInt32?

    /// Makes the command.
    public init(data: [UInt8], signature: [UInt8], counter: UInt32? = nil) {
        self.data = data
        self.signature = signature
        self.counter = counter
    }

    /// WRITE_ISSUER_DATA.
    public var instruction: TangemInstruction { .writeIssuerData }

    /// Size and counter must fit, and the signature must be the issuer's.
    public func check(_ card: CardRecord) throws(TangemError) {
        guard data.count <= TangemLimits.dataSize else {
            throw TangemError(
                .dataSizeTooLarge,
                "\(data.count) bytes, \(TangemLimits.dataSize) are the limit"
            )
        }
        try card.checkIssuerCounter(counter)
        try card.checkIssuer(signature, of: SignedMessage.issuerData(card.id, data: data, counter: counter))
    }

    /// Access code, identifier, data, signature and counter.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .cardID)
        objects.add(.issuerData, data)
        objects.add(.issuerDataSignature, signature)
        if let counter { try objects.add(.issuerDataCounter, number: Int(counter), count: 4) }
        return objects
    }

    /// Nothing of interest.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> DoneAnswer {
        DoneAnswer(sw: answer.sw)
    }

    /// A refusal of a protected card means that the data cannot be written.
    public func meaning(of error: TangemError, _ context: CommandContext) -> TangemError {
        guard error.kind == .invalidParams,
            context.card?.settings.contains(.protectIssuerDataAgainstReplay) == true
        else { return error }
        return TangemError(.dataCannotBeWritten, sw: error.sw)
    }
}

/// Issuer data as they lie on a card.
public struct IssuerData: Hashable, Sendable {
    /// The data; empty when nothing was written.
    public let data: [UInt8]
    /// Signature of the issuer; nil when nothing was written.
    public let signature: [UInt8]?
    /// The counter; nil when there is none.
    public let counter: Int?

    /// Whether the signature is right; data without one are not.
    ///
    /// - Parameters:
    ///   - id: The card.
    ///   - issuerPublicKey: The key of the issuer.
    /// - Returns: nil when nothing was written.
    public func isValid(_ id: CardID, issuerPublicKey: [UInt8]) -> Bool? {
        guard !data.isEmpty else { return nil }
        guard let signature else { return false }
        let number = counter.map { UInt32(truncatingIfNeeded: $0) }
        return SignatureCheck.isValid(
            signature,
            message: SignedMessage.issuerData(id, data: data, counter: number),
            key: issuerPublicKey,
            curve: .secp256k1
        )
    }
}

/// READ_ISSUER_DATA.
public struct ReadIssuerDataCommand: TangemCommand {
    /// Makes the command.
    public init() {}

    /// READ_ISSUER_DATA.
    public var instruction: TangemInstruction { .readIssuerData }

    /// Access code and identifier.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        try context.objects(.pin, .cardID)
    }

    /// Data, signature and counter.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> IssuerData {
        IssuerData(
            data: try answer.objects.required(.issuerData),
            signature: answer.objects[.issuerDataSignature],
            counter: try answer.objects.number(.issuerDataCounter)
        )
    }
}

/// One step of WRITE_ISSUER_DATA with extra data, before firmware 4.0.
public enum WriteIssuerExtraDataCommand: TangemCommand {
    /// The size that will follow, the issuer's signature of it, and a counter where one is used.
    case start(size: UInt16, signature: [UInt8], counter: UInt32?)
    /// A block of at most 900 bytes.
    case block(offset: UInt16, data: [UInt8])
    /// The issuer's signature of everything.
    case finish(signature: [UInt8])

    /// WRITE_ISSUER_DATA.
    public var instruction: TangemInstruction { .writeIssuerData }

    /// Firmware, size and counter must fit.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkHasExtraData()
        guard case .start(let size, let signature, let counter) = self else { return }
        guard Int(size) <= TangemLimits.extraDataSize else {
            throw TangemError(
                .extendedDataSizeTooLarge,
                "\(size) bytes, \(TangemLimits.extraDataSize) are the limit"
            )
        }
        try card.checkIssuerCounter(counter)
        try card.checkIssuer(
            signature,
            of: SignedMessage.extraDataStart(card.id, size: size, counter: counter)
        )
    }

    /// Access code, identifier, mode, and what the step needs.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .cardID)
        switch self {
        case .start(let size, let signature, let counter):
            objects.add(.interactionMode, [TangemMode.start])
            try objects.add(.size, number: Int(size), count: 2)
            objects.add(.issuerDataSignature, signature)
            if let counter { try objects.add(.issuerDataCounter, number: Int(counter), count: 4) }
        case .block(let offset, let data):
            objects.add(.interactionMode, [TangemMode.block])
            objects.add(.issuerData, data)
            try objects.add(.offset, number: Int(offset), count: 2)
        case .finish(let signature):
            objects.add(.interactionMode, [TangemMode.finish])
            objects.add(.issuerDataSignature, signature)
        }
        return objects
    }

    /// Nothing of interest.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> DoneAnswer {
        DoneAnswer(sw: answer.sw)
    }

    /// Refusals mean that data are protected; that of a block or of the end that nothing was begun.
    public func meaning(of error: TangemError, _ context: CommandContext) -> TangemError {
        switch error.kind {
        case .invalidState:
            guard case .start = self else { return error }
            return TangemError(.overwritingDataIsProhibited, sw: error.sw)
        case .invalidParams:
            let isProtected = context.card?.settings.contains(.protectIssuerDataAgainstReplay) == true
            return isProtected ? TangemError(.dataCannotBeWritten, sw: error.sw) : error
        default: return error
        }
    }
}

/// READ_ISSUER_DATA with extra data, before firmware 4.0.
public struct ReadIssuerExtraDataCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// Number of bytes in all; in the first answer.
        public let size: Int?
        /// A part of the data.
        public let data: [UInt8]
        /// Signature of the issuer; in the last answer.
        public let signature: [UInt8]?
        /// The counter; in the last answer.
        public let counter: Int?
    }

    /// Where the part begins.
    public let offset: Int

    /// Makes the command.
    public init(offset: Int) {
        self.offset = offset
    }

    /// READ_ISSUER_DATA.
    public var instruction: TangemInstruction { .readIssuerData }

    /// The firmware must have extra data.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkHasExtraData()
    }

    /// Access code, identifier, mode and offset.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .cardID)
        objects.add(.interactionMode, [TangemMode.readExtraData])
        try objects.add(.offset, number: offset, count: 2)
        return objects
    }

    /// A part of the data.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        Answer(
            size: try answer.objects.number(.size),
            data: answer.objects[.issuerData] ?? [],
            signature: answer.objects[.issuerDataSignature],
            counter: try answer.objects.number(.issuerDataCounter)
        )
    }
}

extension CardRecord {
    fileprivate func checkHasExtraData() throws(TangemError) {
        guard !has(.multiWallet) else {
            throw TangemError(
                .notSupportedFirmwareVersion,
                "issuer extra data went with firmware 4.0, this card has \(firmware); use files"
            )
        }
    }

    fileprivate func checkIssuerCounter(_ counter: UInt32?) throws(TangemError) {
        if settings.contains(.protectIssuerDataAgainstReplay), counter == nil {
            throw TangemError(.missingCounter)
        }
    }

    /// Refuses a signature that is not the issuer's.
    func checkIssuer(_ signature: [UInt8], of message: [UInt8]) throws(TangemError) {
        let isValid = SignatureCheck.isValid(
            signature,
            message: message,
            key: issuerPublicKey,
            curve: .secp256k1
        )
        guard isValid == true else { throw TangemError(.verificationFailed) }
    }
}
