// SPDX-License-Identifier: MIT

import Cryptography
import TangemConstants

/// A file to be written.
public struct NewFile: Hashable, Sendable {
    /// An owner's signatures instead of the passcode.
    public struct Owner: Hashable, Sendable {
        /// Signature of card, counter and size.
        public let startingSignature: [UInt8]
        /// Signature of card, data and counter.
        public let finalizingSignature: [UInt8]
        /// The counter.
        public let counter: UInt32

        /// Takes signatures and counter.
        public init(startingSignature: [UInt8], finalizingSignature: [UInt8], counter: UInt32) {
            self.startingSignature = startingSignature
            self.finalizingSignature = finalizingSignature
            self.counter = counter
        }
    }

    /// All bytes.
    public let data: [UInt8]
    /// Its rights, from 4.0 on; nil for those that the card gives.
    public let settings: FileSettings?
    /// The wallet that it shall belong to, from 4.0 on.
    public let walletPublicKey: [UInt8]?
    /// The owner who signed it; nil to write with the passcode.
    public let owner: Owner?

    /// Makes a file.
    public init(
        data: [UInt8],
        settings: FileSettings? = nil,
        walletPublicKey: [UInt8]? = nil,
        owner: Owner? = nil
    ) {
        self.data = data
        self.settings = settings
        self.walletPublicKey = walletPublicKey
        self.owner = owner
    }
}

extension CardSession {
    /// Writes files.
    ///
    /// - Parameter files: The files.
    /// - Returns: The index of each.
    /// - Throws: `filesIsEmpty` without any, or what the card says.
    public func writeFiles(_ files: [NewFile]) throws(TangemError) -> [Int] {
        guard !files.isEmpty else { throw TangemError(.filesIsEmpty, "give at least one file to write") }
        var indices: [Int] = []
        for file in files { indices.append(try write(file)) }
        return indices
    }

    private func write(_ file: NewFile) throws(TangemError) -> Int {
        let card = try requiredCard()
        // A size has two bytes: beyond that there is nothing to let the card judge.
        guard let size = UInt16(exactly: file.data.count),
            file.data.count <= TangemLimits.filesSize || !configuration.handlesErrors
        else {
            throw TangemError(
                .dataSizeTooLarge,
                "a file of \(file.data.count) bytes, \(TangemLimits.filesSize) are the limit"
            )
        }
        var walletIndex: Int?
        if let key = file.walletPublicKey { walletIndex = try requiredWallet(key).index }
        let writer: WriteFileCommand.Writer
        if let owner = file.owner {
            if configuration.handlesErrors {
                try judgedCard().checkIssuer(
                    owner.finalizingSignature,
                    of: SignedMessage.fileEnd(card.id, data: file.data, counter: owner.counter)
                )
            }
            writer = .owner(signature: owner.startingSignature, counter: owner.counter)
        } else {
            writer = .user
        }
        let start = WriteFileCommand.start(
            size: size,
            by: writer,
            walletIndex: walletIndex,
            settings: file.settings
        )
        var written: Int?
        return try repeatedly { () throws(TangemError) in
            written = nil
            guard let index = try run(start).index else {
                throw TangemError(.decodingFailedMissingTag, "the new file has no index", command: start.name)
            }
            try blocks(of: file.data) { offset, block throws(TangemError) in
                _ = try run(WriteFileCommand.block(index: index, offset: offset, data: block))
            }
            written = index
            if let owner = file.owner {
                _ = try run(WriteFileCommand.confirmOwner(index: index, signature: owner.finalizingSignature))
            } else {
                _ = try run(WriteFileCommand.confirm(index: index, digest: SHA256.digest(file.data)))
            }
            return index
        } unless: { () throws(TangemError) in
            guard let written else { return nil }
            return try readWritten(written, by: file.owner)?.data == file.data ? written : nil
        }
    }

    /// Reads a file that was just written.
    private func readWritten(_ index: Int, by owner: NewFile.Owner?) throws(TangemError) -> FileRecord? {
        if owner == nil { return try readFile(ReadFileCommand(index: index, readsPrivateFiles: true)) }
        // An owner has signed instead of giving a passcode, so that one is tried only where it is asked for.
        let first = ReadFileCommand(index: index)
        do throws(TangemError) {
            return try readFile(first)
        } catch {
            let isKnownWrong = card?.isPasscodeDefault == false && passcode == .standard(.passcode)
            guard isRefusalOfPrivateFile(error, first), !isKnownWrong else { throw error }
            return try readFile(ReadFileCommand(index: index, readsPrivateFiles: true))
        }
    }

    /// Reads files.
    ///
    /// - Parameters:
    ///   - readsPrivateFiles: Whether the passcode goes along.
    ///   - fileName: Files of this name alone.
    ///   - walletPublicKey: Files of this wallet alone.
    /// - Returns: The files in the order of the card.
    /// - Throws: What the card says.
    public func readFiles(
        readsPrivateFiles: Bool = false,
        fileName: String? = nil,
        walletPublicKey: [UInt8]? = nil
    ) throws(TangemError) -> [FileRecord] {
        var walletIndex: Int?
        if let walletPublicKey { walletIndex = try requiredWallet(walletPublicKey).index }
        var files: [FileRecord] = []
        var next = 0
        var refusal: TangemError?
        while next <= 0xFF {
            let first = ReadFileCommand(
                index: next,
                fileName: fileName,
                walletIndex: walletIndex,
                readsPrivateFiles: readsPrivateFiles
            )
            let found: FileRecord?
            do throws(TangemError) {
                found = try readFile(first)
            } catch {
                guard isRefusalOfPrivateFile(error, first) else { throw error }
                refusal = refusal ?? error
                next += 1
                continue
            }
            guard let file = found else { break }
            files.append(file)
            // With a filter the card may have skipped some.
            next = max(next, file.index) + 1
        }
        // Nothing but refusals is one: the caller shall know that there is something.
        if let refusal, files.isEmpty { throw refusal }
        return files
    }

    /// Whether a card may mean by a refusal that the file is private; what it says then no source tells.
    private func isRefusalOfPrivateFile(_ error: TangemError, _ command: ReadFileCommand) -> Bool {
        guard configuration.handlesErrors, !command.readsPrivateFiles else { return false }
        switch error.kind {
        case .invalidParams, .accessCodeRequired, .passcodeRequired: return true
        default: return false
        }
    }

    private func readFile(_ first: ReadFileCommand) throws(TangemError) -> FileRecord? {
        let head: ReadFileCommand.Answer
        do {
            // A private file that nobody asked for is no reason to ask for its code.
            head = try run(first, asksForCodes: first.readsPrivateFiles)
        } catch  where error.kind == .fileNotFound {
            return nil
        }
        guard let size = head.size else { return nil }
        guard size <= TangemLimits.filesSize else {
            throw TangemError(.deserializeApduFailed, "a file of \(size) bytes fits no card").during(
                first.name
            )
        }
        var data = head.data
        while data.count < size {
            let part = try run(
                ReadFileCommand(
                    index: head.index,
                    offset: data.count,
                    fileName: first.fileName,
                    walletIndex: first.walletIndex,
                    readsPrivateFiles: first.readsPrivateFiles
                )
            )
            guard !part.data.isEmpty else {
                throw TangemError(
                    .deserializeApduFailed,
                    "the file ends after \(data.count) of \(size) bytes"
                )
                .during(first.name)
            }
            data += part.data
            delegate.handle(.progress(percent: min(100, data.count * 100 / size)))
        }
        guard data.count == size else {
            throw TangemError(.deserializeApduFailed, "\(data.count) bytes came for a file of \(size)")
                .during(first.name)
        }
        return FileRecord(
            index: head.index,
            data: data,
            settings: head.settings,
            walletIndex: head.walletIndex,
            ownerIndex: head.ownerIndex,
            ownerPublicKey: head.ownerPublicKey
        )
    }

    /// Deletes files; all of them without indices.
    ///
    /// Those behind a deleted file move down, so the last ones go first.
    public func deleteFiles(_ indices: [Int]? = nil) throws(TangemError) {
        guard let indices else { return try deleteAllFiles() }
        let wanted = Set(indices).sorted(by: >)
        // Only the number of files tells afterwards whether one is gone, so it must be known before.
        var count = configuration.reconnections > 0 && !wanted.isEmpty ? try filesCount() : nil
        for index in wanted {
            try deleteFile(index, of: count)
            count = count.map { $0 - 1 }
        }
    }

    /// Deletes a file, once: after a loss another one may lie in its place.
    private func deleteFile(_ index: Int, of count: Int?) throws(TangemError) {
        while true {
            let losses = losses
            do throws(TangemError) {
                _ = try run(WriteFileCommand.delete(index: index))
                return
            } catch {
                guard isLoss(error, since: losses), let count, count > index else { throw error }
                try findTagAgain()
                guard try hasFile(count - 1) else { return }
            }
        }
    }

    /// Deletes the first file until there is none; which one a lost answer was about makes no difference.
    private func deleteAllFiles() throws(TangemError) {
        for _ in 0...0xFF + configuration.reconnections {
            let losses = losses
            do throws(TangemError) {
                _ = try run(WriteFileCommand.delete(index: 0))
            } catch {
                if error.kind == .errorProcessingCommand || error.kind == .fileNotFound { return }
                guard isLoss(error, since: losses) else { throw error }
                try findTagAgain()
            }
        }
    }

    /// The number of files; nil where the card does not let them be counted.
    private func filesCount() throws(TangemError) -> Int? {
        var count = 0
        do throws(TangemError) {
            while count <= 0xFF, try hasFile(count) { count += 1 }
            return count
        } catch {
            // That is no reason to delete nothing, but a wrong code is: it would only be tried once more.
            let isMistrusted = error.kind == .invalidParams && configuration.handlesErrors
            guard error.sw != nil, isMistrusted || error.kind == .invalidState else { throw error }
            return nil
        }
    }

    private func hasFile(_ index: Int) throws(TangemError) -> Bool {
        do {
            return try run(ReadFileCommand(index: index, readsPrivateFiles: true)).size != nil
        } catch  where error.kind == .fileNotFound {
            return false
        }
    }

    /// Changes the rights of files.
    public func changeFileSettings(_ changes: [Int: FileSettings]) throws(TangemError) {
        for (index, settings) in changes.sorted(by: { $0.key < $1.key }) {
            _ = try run(WriteFileCommand.changeSettings(index: index, settings: settings))
        }
    }

    /// The digest of a file.
    public func fileChecksum(
        index: Int? = nil,
        fileName: String? = nil,
        readsPrivateFiles: Bool = false
    ) throws(TangemError) -> ReadFileChecksumCommand.Answer {
        try run(
            ReadFileChecksumCommand(index: index, fileName: fileName, readsPrivateFiles: readsPrivateFiles)
        )
    }
}
