// SPDX-License-Identifier: MIT

import Cryptography
import NBTConstants
import SmartCard

extension ChipState {
    /// AUTHENTICATE TAG: signs a challenge with the chip's own key.
    func authenticate(_ command: CommandAPDU) -> ChipReply {
        guard command.p1p2 == 0 else { return .status(NBTStatus.wrongParameters) }
        guard command.form == .case4Short else { return .status(NBTStatus.wrongLength) }
        guard let signature = signature(of: command.data) else {
            return .status(NBTStatus.conditionsNotSatisfied)
        }
        guard signature.count <= command.ne else { return .status(NBTStatus.wrongLength) }
        return ChipReply(data: signature, extraTime: settings.signatureTime)
    }

    /// The signature of a challenge as it is sent; nil without a key.
    private func signature(of challenge: [UInt8]) -> [UInt8]? {
        guard settings.hasECC, let scalar = memory.eccKey else { return nil }
        do {
            let key = try PrivateKey(scalar, curve: .secp256r1)
            let signature = try ECDSA.sign(message: rules.proof.signedMessage(challenge), with: key)
            return rules.proof.encodedSignature(signature)
        } catch {
            return nil
        }
    }

    /// BACKEND TEST: runs the self-tests of a mask over I2C, or is switched off for good.
    mutating func backendTest(_ command: CommandAPDU, on face: ChipInterface) -> ChipReply {
        guard face == .i2c else { return .status(settings.backendTestOverNFC) }
        guard !memory.isBackendTestOff else { return .status(settings.backendTestOff) }
        guard command.nc == 0, !command.isExtended else { return .status(NBTStatus.wrongLength) }
        if command.p1p2 == Int(BackendTestBit.disable) {
            return commit(1, on: face) { $0.isBackendTestOff = true }
        }
        guard command.p1p2 <= Int(BackendTestBit.all) else { return .status(NBTStatus.wrongParameters) }
        var reply = ChipReply(data: [passedTests() & command.p2])
        reply.extraTime = settings.signatureTime
        return reply
    }

    /// The self-tests that this chip passes, by their bits.
    private func passedTests() -> UInt8 {
        var passed = BackendTestBit.random
        let challenge = memory.uid
        let signature = signature(of: challenge)
        if signature != nil { passed |= BackendTestBit.sign }
        if memory.cottKey != nil { passed |= BackendTestBit.cott }
        guard let der = NDEFPlaces.certificate(in: memory.files[.ndef] ?? []) else { return passed }
        do {
            let certificate = try Certificate(der: der)
            let key = try certificate.publicKey()
            passed |= BackendTestBit.certificateKey
            if let signature, try ECDSA.verify(ECDSASignature(der: signature), message: challenge, key: key) {
                passed |= BackendTestBit.verify
            }
            if let name = certificate.subject.commonName, let uid = try? HexText.bytes(name) {
                passed |= BackendTestBit.certificateUID
                if uid == memory.uid { passed |= BackendTestBit.uidComparison }
            }
        } catch {
            // What cannot be read or verified is a test that did not pass.
            return passed
        }
        return passed
    }
}
