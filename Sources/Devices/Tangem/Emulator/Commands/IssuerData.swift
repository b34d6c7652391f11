// SPDX-License-Identifier: MIT

import SmartCard
import TangemConstants

extension CardState {
    /// WRITE_ISSUER_DATA (F6): a small block with a signature, or the steps of the extra data.
    mutating func writeIssuerData(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkIssuerAccess(fields)
        switch try fields.number(.interactionMode) {
        case nil:
            break
        case Int(TangemMode.start) where !has(.multiWallet):
            return try startExtraData(fields, identity)
        case Int(TangemMode.block) where !has(.multiWallet):
            guard field.extraUpload != nil else { throw .state }
            let block = try fields.required(.issuerData)
            try field.extraUpload?.take(block, at: fields.requiredNumber(.offset))
            return reply(identity)
        case Int(TangemMode.finish) where !has(.multiWallet):
            return try finishExtraData(fields, identity)
        default:
            throw .parameters
        }
        let data = try fields.required(.issuerData, count: 0...TangemLimits.dataSize)
        let signature = try fields.required(.issuerDataSignature)
        let counter = try newCounter(fields, identity, after: memory.issuerData.counter)
        let message = identity.cardID + data + (counter?.bigEndian(4) ?? [])
        guard CardSignatures.verify(signature, message, key: identity.issuerKey) else { throw .parameters }
        memory.issuerData = SignedData(data: data, signature: signature, counter: counter)
        return reply(identity)
    }

    /// READ_ISSUER_DATA (F7): the small block, or a part of the extra data.
    mutating func readIssuerData(_ fields: CommandFields) throws(Stop) -> Reply {
        let identity = try checkIssuerAccess(fields)
        var reply = reply(identity)
        switch try fields.number(.interactionMode) {
        case nil:
            reply.fields.add(.issuerData, memory.issuerData.data)
            reply.fields.add(.issuerDataSignature, memory.issuerData.signature)
            if let counter = memory.issuerData.counter {
                reply.fields.add(.issuerDataCounter, number: counter, count: 4)
            }
        case Int(TangemMode.readExtraData) where !has(.multiWallet):
            let extra = memory.extraData
            let offset = try fields.number(.offset) ?? 0
            guard offset <= extra.data.count else { throw .parameters }
            if offset == 0 { reply.fields.add(.size, number: extra.data.count, count: 2) }
            let block = Array(extra.data[offset...].prefix(TangemLimits.blockSize))
            reply.fields.add(.issuerData, block)
            // The signature comes with the last block and tells the host to stop.
            if offset + block.count == extra.data.count, !extra.data.isEmpty {
                reply.fields.add(.issuerDataSignature, extra.signature)
                if let counter = extra.counter {
                    reply.fields.add(.issuerDataCounter, number: counter, count: 4)
                }
            }
        default:
            throw .parameters
        }
        return reply
    }

    private mutating func startExtraData(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop)
        -> Reply
    {
        if identity.settings.contains(.restrictOverwriteIssuerExtraData), !memory.extraData.data.isEmpty {
            throw .state
        }
        let size = try fields.requiredNumber(.size)
        guard (1...TangemLimits.extraDataSize).contains(size) else { throw .parameters }
        let signature = try fields.required(.issuerDataSignature)
        let counter = try newCounter(fields, identity, after: memory.extraData.counter)
        let message = identity.cardID + (counter?.bigEndian(4) ?? []) + size.bigEndian(2)
        guard CardSignatures.verify(signature, message, key: identity.issuerKey) else { throw .parameters }
        field.extraUpload = Upload(size: size, counter: counter)
        return reply(identity)
    }

    private mutating func finishExtraData(_ fields: CommandFields, _ identity: CardIdentity) throws(Stop)
        -> Reply
    {
        guard let upload = field.extraUpload, upload.isComplete else { throw .state }
        let signature = try fields.required(.issuerDataSignature)
        let message = identity.cardID + upload.data + (upload.counter?.bigEndian(4) ?? [])
        guard CardSignatures.verify(signature, message, key: identity.issuerKey) else { throw .parameters }
        field.extraUpload = nil
        memory.extraData = SignedData(data: upload.data, signature: signature, counter: upload.counter)
        return reply(identity)
    }

    private mutating func checkIssuerAccess(_ fields: CommandFields) throws(Stop) -> CardIdentity {
        let identity = try checkCardAndAccessCode(fields)
        // Below 3.0 the bit has another meaning.
        if settings.profile.version.major >= 3, identity.settings.contains(.disableIssuerData) {
            throw .refused(settings.switchedOff)
        }
        return identity
    }

    /// The counter of a command; where the settings protect against replay it must be there and grow.
    func newCounter(
        _ fields: CommandFields,
        _ identity: CardIdentity,
        after old: Int?
    ) throws(Stop) -> Int? {
        let counter = try fields.number(.issuerDataCounter)
        guard identity.settings.contains(.protectIssuerDataAgainstReplay) else { return counter }
        guard let counter, counter > old ?? 0 else { throw .parameters }
        return counter
    }
}
