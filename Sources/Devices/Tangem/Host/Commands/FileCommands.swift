// SPDX-License-Identifier: MIT

public import TangemConstants

/// One step of WRITE_FILE_DATA.
public enum WriteFileCommand: TangemCommand {
    /// Who writes a file.
    public enum Writer: Hashable, Sendable {
        /// The user, with the passcode.
        case user
        /// An owner, with a signature of the start and a counter.
        case owner(signature: [UInt8], counter: UInt32)
    }

    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// Index of the new file, after the start.
        public let index: Int?
    }

    /// A new file of a size; wallet and rights from 4.0 on.
    case start(size: UInt16, by: Writer, walletIndex: Int?, settings: FileSettings?)
    /// A block of at most 900 bytes.
    case block(index: Int, offset: UInt16, data: [UInt8])
    /// The end of a user's file, with the digest of all data.
    case confirm(index: Int, digest: [UInt8])
    /// The end of an owner's file, with a signature of all data.
    case confirmOwner(index: Int, signature: [UInt8])
    /// The file is deleted; those behind it move down.
    case delete(index: Int)
    /// Other rights.
    case changeSettings(index: Int, settings: FileSettings)

    /// WRITE_FILE_DATA.
    public var instruction: TangemInstruction { .writeFileData }

    /// True unless an owner writes.
    public var needsPasscode: Bool {
        switch self {
        case .start(_, .user, _, _), .confirm, .delete, .changeSettings: true
        case .start, .block, .confirmOwner: false
        }
    }

    /// False for a deletion: other files have moved to the place of the deleted one.
    public var isRepeatable: Bool {
        if case .delete = self { return false }
        return true
    }

    /// The card must have files.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkHasFiles()
        if needsPasscode { try card.require(.filesByPasscode, for: "writing files by passcode") }
        switch self {
        case .start(let size, let writer, _, _):
            guard Int(size) <= TangemLimits.filesSize else {
                throw TangemError(.dataSizeTooLarge, "\(size) bytes, \(TangemLimits.filesSize) are the limit")
            }
            if case .owner(let signature, let counter) = writer {
                try card.checkIssuer(
                    signature,
                    of: SignedMessage.fileStart(card.id, size: size, counter: counter)
                )
            }
        case .changeSettings(_, let settings): _ = try settings.value(for: card.firmware)
        default: break
        }
    }

    /// Identifier, codes, mode, and what the step needs.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.cardID, .pin)
        switch self {
        case .start(let size, let writer, let walletIndex, let settings):
            objects.add(.interactionMode, [TangemMode.start])
            try objects.add(.size, number: Int(size), count: 2)
            switch writer {
            case .user: objects.add(.pin2, context.passcode.digest)
            case .owner(let signature, let counter):
                objects.add(.issuerDataSignature, signature)
                try objects.add(.issuerDataCounter, number: Int(counter), count: 4)
            }
            if context.firmware.has(.multiWallet) {
                if let walletIndex { try objects.add(.walletIndex, number: walletIndex, count: 1) }
                objects.add(.fileSettings, try settings?.value(for: context.firmware))
            }
        case .block(let index, let offset, let data):
            objects.add(.interactionMode, [TangemMode.block])
            objects.add(.issuerData, data)
            try objects.add(.offset, number: Int(offset), count: 2)
            try objects.add(.fileIndex, number: index, count: 1)
        case .confirm(let index, let digest):
            objects.add(.interactionMode, [TangemMode.finish])
            try objects.add(.fileIndex, number: index, count: 1)
            objects.add(.codeHash, digest)
            objects.add(.pin2, context.passcode.digest)
        case .confirmOwner(let index, let signature):
            objects.add(.interactionMode, [TangemMode.finish])
            try objects.add(.fileIndex, number: index, count: 1)
            objects.add(.issuerDataSignature, signature)
        case .delete(let index):
            objects.add(.pin2, context.passcode.digest)
            objects.add(.interactionMode, [TangemMode.deleteFile])
            try objects.add(.fileIndex, number: index, count: 1)
        case .changeSettings(let index, let settings):
            objects.add(.pin2, context.passcode.digest)
            objects.add(.interactionMode, [TangemMode.changeFileSettings])
            try objects.add(.fileIndex, number: index, count: 1)
            objects.add(.fileSettings, try settings.value(for: context.firmware))
        }
        return objects
    }

    /// The index of a new file.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        guard case .start = self else { return Answer(index: nil) }
        return Answer(index: try answer.objects.requiredNumber(.fileIndex))
    }
}

/// READ_FILE_DATA: a part of a file.
public struct ReadFileCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// Index of the file.
        public let index: Int
        /// Number of bytes in all; nil when there is no file.
        public let size: Int?
        /// A part of the data.
        public let data: [UInt8]
        /// Rights of the file.
        public let settings: FileSettings?
        /// Wallet of the file.
        public let walletIndex: Int?
        /// Index of the owner.
        public let ownerIndex: Int?
        /// Key of the owner.
        public let ownerPublicKey: [UInt8]?
    }

    /// Index of the file.
    public let index: Int
    /// Where the part begins.
    public let offset: Int
    /// Reads files of this name alone; nil for all.
    public let fileName: String?
    /// Reads files of this wallet alone; nil for all.
    public let walletIndex: Int?
    /// Whether the passcode goes along, so that private files are read too.
    public let readsPrivateFiles: Bool

    /// Makes the command.
    public init(
        index: Int,
        offset: Int = 0,
        fileName: String? = nil,
        walletIndex: Int? = nil,
        readsPrivateFiles: Bool = false
    ) {
        self.index = index
        self.offset = offset
        self.fileName = fileName
        self.walletIndex = walletIndex
        self.readsPrivateFiles = readsPrivateFiles
    }

    /// READ_FILE_DATA.
    public var instruction: TangemInstruction { .readFileData }
    /// True when private files are asked for.
    public var needsPasscode: Bool { readsPrivateFiles }

    /// The card must have files.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkHasFiles()
    }

    /// Identifier, index, offset, filters and codes.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.cardID)
        try objects.add(.fileIndex, number: index, count: 1)
        try objects.add(.offset, number: offset, count: 2)
        if let fileName { objects.add(.fileTypeName, text: fileName) }
        if let walletIndex { try objects.add(.walletIndex, number: walletIndex, count: 1) }
        if readsPrivateFiles {
            objects.add(.pin, context.accessCode.digest)
            objects.add(.pin2, context.passcode.digest)
        } else if !context.firmware.has(.multiWallet) {
            objects.add(.pin, context.accessCode.digest)
        }
        return objects
    }

    /// A part of the file.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        let objects = answer.objects
        var settings: FileSettings?
        if let value = objects[.fileSettings] { settings = try FileSettings(value) }
        return Answer(
            index: try objects.number(.fileIndex) ?? index,
            size: try objects.number(.size),
            data: objects[.issuerData] ?? [],
            settings: settings,
            walletIndex: try objects.number(.walletIndex),
            ownerIndex: try objects.number(.fileOwnerIndex),
            ownerPublicKey: objects[.issuerPublicKey]
        )
    }
}

/// READ_FILE_DATA in the mode that gives the digest of a file.
public struct ReadFileChecksumCommand: TangemCommand {
    /// What the card gives back.
    public struct Answer: Hashable, Sendable {
        /// SHA-256 of the data.
        public let digest: [UInt8]
        /// Index of the file; nil when the card gives none.
        public let index: Int?
    }

    /// Index of the file; nil when the name tells which.
    public let index: Int?
    /// Name of the file; nil when the index tells which.
    public let fileName: String?
    /// Whether the passcode goes along, for private files.
    public let readsPrivateFiles: Bool

    /// Makes the command.
    public init(index: Int? = nil, fileName: String? = nil, readsPrivateFiles: Bool = false) {
        self.index = index
        self.fileName = fileName
        self.readsPrivateFiles = readsPrivateFiles
    }

    /// READ_FILE_DATA.
    public var instruction: TangemInstruction { .readFileData }
    /// True for private files.
    public var needsPasscode: Bool { readsPrivateFiles }

    /// The firmware must have checksums.
    public func check(_ card: CardRecord) throws(TangemError) {
        try card.checkHasFiles()
        try card.require(.filesByPasscode, for: "the checksum of a file")
    }

    /// Access code, identifier, mode, name, index and passcode.
    public func body(_ context: CommandContext) throws(TangemError) -> CardObjects {
        var objects = try context.objects(.pin, .cardID)
        objects.add(.interactionMode, [TangemMode.readFileChecksum])
        if let fileName { objects.add(.fileTypeName, text: fileName) }
        if let index { try objects.add(.fileIndex, number: index, count: 1) }
        if readsPrivateFiles { objects.add(.pin2, context.passcode.digest) }
        return objects
    }

    /// The digest.
    public func answer(_ answer: CommandAnswer, _ context: CommandContext) throws(TangemError) -> Answer {
        Answer(
            digest: try answer.objects.required(.codeHash),
            index: try answer.objects.number(.fileIndex)
        )
    }
}

extension CardRecord {
    fileprivate func checkHasFiles() throws(TangemError) {
        try require(.files, for: "a file")
        guard !settings.contains(.disableFiles) else { throw TangemError(.filesDisabled) }
    }
}
