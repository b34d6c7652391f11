// SPDX-License-Identifier: MIT

public import Cryptography
import TangemConstants

/// How the bodies of commands and answers are encrypted; the number goes into P1.
public enum SessionEncryption: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    /// Not at all.
    case none = 0
    /// With a key from random bytes that both sides send.
    case fast = 1
    /// With a key from points that both sides send.
    case strong = 2

    /// The order of strength.
    public static func < (a: SessionEncryption, b: SessionEncryption) -> Bool { a.rawValue < b.rawValue }

    /// The next stronger way; nil behind the strongest.
    public var next: SessionEncryption? { SessionEncryption(rawValue: rawValue + 1) }
}

/// Encrypts and decrypts bodies with the key of a session.
///
/// A body is length (2 bytes), CRC (2 bytes) and the data objects, in AES-256-CBC from zeros with PKCS#7 padding.
public struct SessionCipher: Sendable {
    /// How the key was agreed on.
    public let encryption: SessionEncryption

    private let aes: AES

    /// Takes a key of 32 bytes.
    public init(encryption: SessionEncryption, key: [UInt8]) throws(TangemError) {
        self.encryption = encryption
        do { aes = try AES(key: key) } catch {
            throw TangemError(.failedToEstablishEncryption, error.description)
        }
    }

    /// The key of a session.
    ///
    /// - Parameters:
    ///   - accessCode: The access code in use.
    ///   - uid: The card's UID.
    ///   - secret: Both random values, host first, or the x coordinate that two points share.
    /// - Returns: 32 bytes.
    /// - Throws: `cryptoUtilsError` when the library refuses.
    public static func key(
        accessCode: UserCode,
        uid: [UInt8],
        secret: [UInt8]
    ) throws(TangemError) -> [UInt8] {
        SHA256.digest(secret + (try protocolKey(accessCode: accessCode, uid: uid)))
    }

    /// The part of the key that hangs on the access code and the card.
    public static func protocolKey(accessCode: UserCode, uid: [UInt8]) throws(TangemError) -> [UInt8] {
        do {
            return try PBKDF2.key(
                password: accessCode.digest,
                salt: uid,
                rounds: TangemLimits.protocolKeyRounds,
                length: 32
            )
        } catch {
            throw TangemError(.cryptoUtilsError, error.description)
        }
    }

    /// The x coordinate that two points of secp256k1 share.
    public static func sharedSecret(own: PrivateKey, other: [UInt8]) throws(TangemError) -> [UInt8] {
        do {
            return try ECDH.sharedX(own, PublicKey(other, curve: .secp256k1))
        } catch {
            throw TangemError(.failedToEstablishEncryption, error.description)
        }
    }

    /// The packet of data objects before encryption.
    public static func packet(_ objects: [UInt8]) -> [UInt8] {
        let crc = crc16(objects)
        return BigEndian.bytes(objects.count, count: 2) + crc + objects
    }

    /// The encrypted body for data objects.
    public func encrypt(_ objects: [UInt8]) throws(TangemError) -> [UInt8] {
        guard objects.count <= 0xFFFF else {
            throw TangemError(.failedToEncryptApdu, "the body has \(objects.count) bytes")
        }
        do {
            return try aes.encrypt(Self.packet(objects), mode: .cbcFromZeros, padding: .pkcs7)
        } catch {
            throw TangemError(.failedToEncryptApdu, error.description)
        }
    }

    /// The data objects of an answer; less than a block is not encrypted.
    public func decrypt(_ data: [UInt8]) throws(TangemError) -> [UInt8] {
        guard data.count >= AES.blockLength else { return data }
        let packet: [UInt8]
        do {
            packet = try aes.decrypt(data, mode: .cbcFromZeros, padding: .pkcs7)
        } catch {
            throw TangemError(.failedToDecryptApdu, error.description)
        }
        guard packet.count >= 4 else {
            throw TangemError(.invalidResponseApdu, "the packet has \(packet.count) bytes")
        }
        let objects = Array(packet[4...])
        guard BigEndian.number(Array(packet[..<2])) == objects.count else {
            throw TangemError(
                .invalidResponseApdu,
                "the packet holds \(objects.count) bytes and says otherwise"
            )
        }
        guard Self.crc16(objects) == Array(packet[2..<4]) else {
            throw TangemError(.invalidResponseApdu, "the checksum is wrong")
        }
        return objects
    }

    /// CRC of ISO/IEC 14443-3 type A, low byte first.
    public static func crc16(_ bytes: [UInt8]) -> [UInt8] {
        var crc = TangemLimits.crcStart
        for byte in bytes {
            crc ^= UInt16(byte)
            for _ in 0..<8 {
                crc = crc & 1 == 1 ? crc >> 1 ^ TangemLimits.crcPolynomial : crc >> 1
            }
        }
        return [UInt8(truncatingIfNeeded: crc), UInt8(truncatingIfNeeded: crc >> 8)]
    }
}
