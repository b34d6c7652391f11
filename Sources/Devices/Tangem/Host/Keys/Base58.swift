// SPDX-License-Identifier: MIT

import Cryptography

/// Bytes as text of 58 letters, as wallets write keys.
public enum Base58 {
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// The text of bytes.
    public static func text(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            var carry = Int(byte)
            for index in digits.indices {
                carry += Int(digits[index]) << 8
                digits[index] = UInt8(carry % 58)
                carry /= 58
            }
            while carry > 0 {
                digits.append(UInt8(carry % 58))
                carry /= 58
            }
        }
        let zeros = bytes.prefix { $0 == 0 }.map { _ in alphabet[0] }
        return String(decoding: zeros + digits.reversed().map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// The bytes of a text, nil when a letter does not belong.
    public static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 1024 else { return nil }
        var bytes: [UInt8] = []
        for letter in text.utf8 {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            var carry = value
            for index in bytes.indices {
                carry += Int(bytes[index]) * 58
                bytes[index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            while carry > 0 {
                bytes.append(UInt8(truncatingIfNeeded: carry))
                carry >>= 8
            }
        }
        return text.utf8.prefix { $0 == alphabet[0] }.map { _ in 0 } + bytes.reversed()
    }

    /// The text of bytes with a checksum of 4 bytes behind them.
    public static func checkedText(_ bytes: [UInt8]) -> String {
        text(bytes + SHA256.digestTwice(bytes).prefix(4))
    }

    /// The bytes of a text with a checksum, nil when either is wrong.
    public static func checkedBytes(_ text: String) -> [UInt8]? {
        guard let all = bytes(text), all.count >= 4 else { return nil }
        let bytes = Array(all.dropLast(4))
        return Array(all.suffix(4)) == Array(SHA256.digestTwice(bytes).prefix(4)) ? bytes : nil
    }

    /// A secp256k1 key in the form that wallets import: mainnet, compressed.
    public static func walletImportFormat(_ privateKey: [UInt8]) -> String {
        checkedText([0x80] + privateKey + [0x01])
    }
}
