// SPDX-License-Identifier: MIT

import Cryptography
import SmartCard
import TangemConstants

extension CardState {
    /// OPEN_SESSION (FF): both sides send a part of the key; P2 is the mode.
    mutating func openSession(_ command: CommandAPDU) throws(Stop) -> Reply {
        guard command.p1 == TangemEncryption.none, let fields = CommandFields(command.data) else {
            throw .parameters
        }
        let mode = command.p2
        guard mode == TangemEncryption.fast || mode == TangemEncryption.strong else { throw .parameters }
        guard isAllowed(mode) else { throw .refused(TangemStatus.needEncryption) }
        let own: [UInt8]
        let secret: [UInt8]
        if mode == TangemEncryption.fast {
            let host = try fields.required(.sessionKeyA, count: 16...16)
            own = random.bytes(16)
            secret = host + own
        } else {
            let host = try fields.required(.sessionKeyA, count: 65...65)
            guard let point = try? PublicKey(host, curve: .secp256k1) else { throw .parameters }
            var generator = random
            let key = try inside { try PrivateKey.generate(.secp256k1, using: &generator) }
            random = generator
            own = key.publicKey.uncompressed
            secret = try inside { try ECDH.sharedX(key, point) }
        }
        let sessionKey = try inside {
            try SessionCipher.key(secret: secret, pin: memory.pin1, uid: settings.uid)
        }
        field.session = SessionCipher(mode: mode, key: sessionKey)
        var reply = Reply()
        reply.fields.add(.sessionKeyB, own)
        if settings.sendsUID { reply.fields.add(.uid, settings.uid) }
        return reply
    }
}
