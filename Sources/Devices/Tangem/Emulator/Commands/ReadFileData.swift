// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

extension CardState {
    /// READ_FILE_DATA (D1): a block of a file, or its checksum.
    mutating func readFileData(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkCard(fields)
        try checkFilesAllowed(identity)
        // From 4.0 on public files need no code at all; one that is given has to be right.
        if fields[.pin] != nil || !has(.multiWallet) { try checkAccessCode(fields) }
        switch try fields.number(.interactionMode) {
        case nil:
            return try readBlock(fields, identity)
        case Int(TangemMode.readFileChecksum) where has(.filesByPasscode):
            let index = try matchingFile(fields)
            var reply = reply(identity)
            reply.fields.add(.codeHash, SHA256.digest(memory.files[index].data))
            reply.fields.add(.fileIndex, number: index, count: 1)
            return reply
        default:
            throw .parameters
        }
    }

    private mutating func readBlock(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop) -> Reply {
        let index = try matchingFile(fields)
        let file = memory.files[index]
        let offset = try fields.number(.offset) ?? 0
        guard offset <= file.data.count else { throw .parameters }
        var reply = reply(identity)
        // Files are limited to 48 KiB, so that the size fits.
        reply.fields.add(.size, number: file.data.count, count: 2)
        reply.fields.add(.offset, number: offset, count: 2)
        reply.fields.add(.issuerData, Array(file.data[offset...].prefix(TangemLimits.blockSize)))
        reply.fields.add(.fileIndex, number: index, count: 1)
        reply.fields.add(.fileSettings, has(.multiWallet) ? [file.settings] : [0, file.settings])
        if file.isIssuers {
            reply.fields.add(.fileOwnerIndex, [0])
            reply.fields.add(.issuerPublicKey, identity.issuerKey)
        }
        if let wallet = file.walletIndex { reply.fields.add(.walletIndex, number: wallet, count: 1) }
        return reply
    }

    /// The first file from the given index on that fits the filters; private ones need the passcode.
    private mutating func matchingFile(_ fields: CommandFields) throws(Stop) -> Int {
        let first = try fields.number(.fileIndex) ?? 0
        let name = fields.text(.fileTypeName)
        let wallet = try fields.number(.walletIndex)
        let found = memory.files.indices.first { index in
            let file = memory.files[index]
            guard index >= first else { return false }
            if let name, CommandFields(file.data)?.text(.fileTypeName) != name { return false }
            if has(.multiWallet), let wallet, file.walletIndex != wallet { return false }
            return true
        }
        guard let index = found else { throw .refused(TangemStatus.fileNotFound) }
        if !memory.files[index].isPublic {
            try checkAccessCode(fields)
            try checkPasscode(fields)
        }
        return index
    }
}
