// SPDX-License-Identifier: MIT

import Cryptography
import TangemConstants

/// The card's side of an encrypted session.
struct SessionCipher: Sendable {
    /// P1 of the commands that it is for.
    let mode: UInt8
    private let key: [UInt8]

    init(mode: UInt8, key: [UInt8]) {
        self.mode = mode
        self.key = key
    }

    /// The session key of a secret that both sides know.
    static func key(secret: [UInt8], pin: [UInt8], uid: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let protocolKey = try PBKDF2.key(
            password: pin,
            salt: uid,
            rounds: TangemLimits.protocolKeyRounds,
            length: 32
        )
        return SHA256.digest(secret + protocolKey)
    }

    /// The key that wraps PERSONALIZE.
    static let personalization = SessionCipher(
        mode: TangemEncryption.none,
        key: SHA256.digest(Array(TangemLimits.personalizationPassphrase.utf8))
    )

    /// Length, check value and data objects, encrypted.
    func seal(_ body: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let packet = body.count.bigEndian(2) + Self.crc(body) + body
        return try AES(key: key).encrypt(packet, mode: .cbcFromZeros, padding: .pkcs7)
    }

    /// The data objects inside of encrypted bytes; nil where key, length or check value do not fit.
    func open(_ cipherText: [UInt8]) -> [UInt8]? {
        guard !cipherText.isEmpty, cipherText.count % AES.blockLength == 0,
            let packet = try? AES(key: key).decrypt(cipherText, mode: .cbcFromZeros, padding: .pkcs7),
            packet.count >= 4
        else { return nil }
        let body = Array(packet.dropFirst(4))
        guard body.count == Int(packet[0]) << 8 | Int(packet[1]), Self.crc(body) == Array(packet[2..<4])
        else { return nil }
        return body
    }

    /// The check value of ISO/IEC 14443-3 type A, low byte first.
    static func crc(_ bytes: [UInt8]) -> [UInt8] {
        var value = TangemLimits.crcStart
        for byte in bytes {
            value ^= UInt16(byte)
            for _ in 0..<8 {
                value = value & 1 == 1 ? value >> 1 ^ TangemLimits.crcPolynomial : value >> 1
            }
        }
        return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
