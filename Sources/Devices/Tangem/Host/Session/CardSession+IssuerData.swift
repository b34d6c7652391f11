// SPDX-License-Identifier: MIT

import TangemConstants

/// Issuer extra data as they lie on a card.
public typealias IssuerExtraData = IssuerData

extension CardSession {
    /// Writes issuer data.
    ///
    /// - Parameters:
    ///   - data: At most 512 bytes.
    ///   - signature: The issuer's signature of card, data and counter.
    ///   - counter: A counter greater than the last one, where the card asks for one.
    /// - Throws: `verificationFailed` before anything is sent, or what the card says.
    public func writeIssuerData(
        _ data: [UInt8],
        signature: [UInt8],
        counter: UInt32? = nil
    ) throws(TangemError) {
        let losses = losses
        do throws(TangemError) {
            _ = try run(WriteIssuerDataCommand(data: data, signature: signature, counter: counter))
        } catch {
            // The counter of data that were written before the loss is an old one now.
            guard isRefusal(error, afterLossSince: losses) else { throw error }
            let found = try run(ReadIssuerDataCommand())
            guard found.data == data, found.counter == counter.map(Int.init) else { throw error }
        }
    }

    /// Reads issuer data and checks their signature.
    public func readIssuerData() throws(TangemError) -> IssuerData {
        let data = try run(ReadIssuerDataCommand())
        try check(data, command: "READ_ISSUER_DATA")
        return data
    }

    /// Writes issuer extra data, block by block.
    ///
    /// - Parameters:
    ///   - data: At most 32 KiB.
    ///   - startingSignature: The issuer's signature of card, counter and size.
    ///   - finalizingSignature: The issuer's signature of card, data and counter.
    ///   - counter: A counter greater than the last one, where the card asks for one.
    /// - Throws: `verificationFailed` before anything is sent, or what the card says.
    public func writeIssuerExtraData(
        _ data: [UInt8],
        startingSignature: [UInt8],
        finalizingSignature: [UInt8],
        counter: UInt32? = nil
    ) throws(TangemError) {
        let card = try requiredCard()
        let fits = (1...TangemLimits.extraDataSize).contains(data.count)
        // A size has two bytes: beyond that there is nothing to let the card judge.
        guard fits || !configuration.handlesErrors, let size = UInt16(exactly: data.count) else {
            throw TangemError(
                .extendedDataSizeTooLarge,
                "\(data.count) bytes, 1 to \(TangemLimits.extraDataSize) fit the card"
            )
        }
        if configuration.handlesErrors {
            try judgedCard().checkIssuer(
                finalizingSignature,
                of: SignedMessage.issuerData(card.id, data: data, counter: counter)
            )
        }
        var isAtEnd = false
        try repeatedly { () throws(TangemError) in
            isAtEnd = false
            _ = try run(
                WriteIssuerExtraDataCommand.start(size: size, signature: startingSignature, counter: counter)
            )
            try blocks(of: data) { offset, block throws(TangemError) in
                _ = try run(WriteIssuerExtraDataCommand.block(offset: offset, data: block))
            }
            isAtEnd = true
            _ = try run(WriteIssuerExtraDataCommand.finish(signature: finalizingSignature))
        } unless: { () throws(TangemError) in
            guard isAtEnd else { return nil }
            let found = try readIssuerExtraData()
            return found.data == data && found.counter == counter.map(Int.init) ? () : nil
        }
    }

    /// Reads issuer extra data and checks their signature.
    public func readIssuerExtraData() throws(TangemError) -> IssuerExtraData {
        var data: [UInt8] = []
        var size: Int?
        while true {
            let part = try run(ReadIssuerExtraDataCommand(offset: data.count))
            data += part.data
            size = size ?? part.size
            if size == 0 { return IssuerExtraData(data: [], signature: nil, counter: part.counter) }
            if let signature = part.signature {
                let result = IssuerExtraData(data: data, signature: signature, counter: part.counter)
                try check(result, command: "READ_ISSUER_DATA")
                return result
            }
            guard !part.data.isEmpty else {
                throw TangemError(.deserializeApduFailed, "the card sends no data and no signature")
                    .during("READ_ISSUER_DATA")
            }
            guard data.count <= TangemLimits.extraDataSize else {
                throw TangemError(.extendedDataSizeTooLarge, "the card sends more than it can hold")
                    .during("READ_ISSUER_DATA")
            }
            if let size, size > 0 {
                delegate.handle(.progress(percent: min(100, data.count * 100 / size)))
            }
        }
    }

    /// Cuts data into the blocks that commands carry.
    func blocks(
        of data: [UInt8],
        _ write: (UInt16, [UInt8]) throws(TangemError) -> Void
    ) throws(TangemError) {
        for start in stride(from: 0, to: data.count, by: TangemLimits.blockSize) {
            let end = min(start + TangemLimits.blockSize, data.count)
            guard let offset = UInt16(exactly: start) else {
                throw TangemError(.dataSizeTooLarge, "an offset has two bytes")
            }
            try write(offset, Array(data[start..<end]))
            delegate.handle(.progress(percent: end * 100 / data.count))
        }
    }

    private func check(_ data: IssuerData, command: String) throws(TangemError) {
        guard configuration.handlesErrors else { return }
        let card = try judgedCard()
        guard data.isValid(card.id, issuerPublicKey: card.issuerPublicKey) != false else {
            throw TangemError(.verificationFailed, "of the data on the card", command: command)
        }
    }
}
