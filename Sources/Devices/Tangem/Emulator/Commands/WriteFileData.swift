// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

extension CardState {
    /// WRITE_FILE_DATA (D0): a new file in steps, deletion, and rights.
    mutating func writeFileData(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCardAndAccessCode(fields)
        try checkFilesAllowed(identity)
        switch try fields.requiredNumber(.interactionMode) {
        case Int(TangemMode.start): return try startFile(fields, identity)
        case Int(TangemMode.block): return try writeBlock(fields, identity)
        case Int(TangemMode.finish): return try finishFile(fields, identity)
        case Int(TangemMode.deleteFile): return try deleteFile(fields, identity)
        case Int(TangemMode.changeFileSettings): return try changeFileSettings(fields, identity)
        default: throw .parameters
        }
    }

    func checkFilesAllowed(_ identity: CardIdentity) throws(Stop) {
        if identity.settings.contains(.disableFiles) { throw .refused(settings.switchedOff) }
    }

    private mutating func startFile(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop) -> Reply {
        let size = try fields.requiredNumber(.size)
        let used = memory.files.reduce(0) { $0 + $1.data.count }
        guard size > 0, used + size <= TangemLimits.filesSize, memory.files.count < 256 else {
            throw .parameters
        }
        var upload = Upload(size: size, counter: try fields.number(.issuerDataCounter))
        upload.isIssuers = fields[.issuerDataSignature] != nil
        if has(.multiWallet) {
            upload.settings = try fields[.fileSettings].map(fileSettings) ?? newFileSettings
            upload.walletIndex = try fields.number(.walletIndex)
            if let index = upload.walletIndex, !memory.slots.indices.contains(index) {
                throw .refused(TangemStatus.walletNotFound)
            }
        } else {
            upload.settings = newFileSettings
        }
        if let signature = fields[.issuerDataSignature] {
            guard let counter = upload.counter else { throw .parameters }
            let isProtected = identity.settings.contains(.protectIssuerDataAgainstReplay)
            guard !isProtected || counter > memory.fileCounter else { throw .parameters }
            let message = identity.cardID + counter.bigEndian(4) + size.bigEndian(2)
            guard CardSignatures.verify(signature, message, key: identity.issuerKey) else {
                throw .parameters
            }
            if !identity.settings.contains(.skipDelayIfValidatedByIssuer) { try serveSecurityDelay() }
        } else {
            guard has(.filesByPasscode) else { throw .parameters }
            try checkPasscode(fields)
            try serveSecurityDelayUnlessSmart()
        }
        upload.index = memory.files.count
        field.fileUpload = upload
        var reply = reply(identity)
        reply.fields.add(.fileIndex, number: upload.index, count: 1)
        return reply
    }

    private mutating func writeBlock(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop) -> Reply
    {
        guard let upload = field.fileUpload else { throw .state }
        guard try fields.requiredNumber(.fileIndex) == upload.index else {
            throw .refused(TangemStatus.fileNotFound)
        }
        let block = try fields.required(.issuerData)
        try field.fileUpload?.take(block, at: fields.requiredNumber(.offset))
        return reply(identity)
    }

    private mutating func finishFile(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop) -> Reply
    {
        guard let upload = field.fileUpload, upload.isComplete, upload.index == memory.files.count else {
            throw .state
        }
        guard try fields.requiredNumber(.fileIndex) == upload.index else {
            throw .refused(TangemStatus.fileNotFound)
        }
        if upload.isIssuers {
            let signature = try fields.required(.issuerDataSignature)
            let message = identity.cardID + upload.data + (upload.counter?.bigEndian(4) ?? [])
            guard CardSignatures.verify(signature, message, key: identity.issuerKey) else {
                throw .parameters
            }
            memory.fileCounter = max(memory.fileCounter, upload.counter ?? 0)
        } else {
            try checkPasscode(fields)
            guard try fields.required(.codeHash) == SHA256.digest(upload.data) else { throw .parameters }
        }
        memory.files.append(
            CardFile(
                data: upload.data,
                settings: upload.settings,
                walletIndex: upload.walletIndex,
                isIssuers: upload.isIssuers
            )
        )
        field.fileUpload = nil
        return reply(identity)
    }

    private mutating func deleteFile(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop) -> Reply
    {
        // What a host waits for that deletes the first file until there is none.
        guard !memory.files.isEmpty else { throw .refused(TangemStatus.errorProcessingCommand) }
        let index = try fileIndex(fields)
        guard !memory.files[index].isPermanent else { throw .state }
        try checkPasscode(fields)
        try serveSecurityDelayUnlessSmart()
        memory.files.remove(at: index)
        // Indices have moved: what was on its way has lost its place.
        field.fileUpload = nil
        return reply(identity)
    }

    private mutating func changeFileSettings(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop)
        -> Reply
    {
        let index = try fileIndex(fields)
        let new = try fileSettings(try fields.required(.fileSettings))
        try checkPasscode(fields)
        try serveSecurityDelayUnlessSmart()
        memory.files[index].settings = new
        return reply(identity)
    }

    private func fileIndex(_ fields: CommandFields) throws(Stop) -> Int {
        let index = try fields.requiredNumber(.fileIndex)
        guard memory.files.indices.contains(index) else { throw .refused(TangemStatus.fileNotFound) }
        return index
    }

    /// Two bytes before 4.0, one from then on; the last one counts.
    private func fileSettings(_ bytes: [UInt8]) throws(Stop) -> UInt8 {
        guard bytes.count == (has(.multiWallet) ? 1 : 2), let last = bytes.last else { throw .parameters }
        return last
    }

    private var newFileSettings: UInt8 { settings.publicFiles ? TangemFileSettings.publicBit : 0 }
}
