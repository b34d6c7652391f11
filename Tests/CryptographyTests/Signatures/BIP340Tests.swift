// SPDX-License-Identifier: MIT

import Cryptography
import Testing

/// One row of `bip340.csv`.
struct SchnorrVector: Sendable, CustomTestStringConvertible {
    let fields: [String]
    var testDescription: String { "\(fields[0]) \(fields[7])" }

    static func load() throws -> [SchnorrVector] {
        String(decoding: try Fixture.bytes("bip340.csv"), as: UTF8.self)
            .split(separator: "\n").dropFirst()
            .map {
                SchnorrVector(
                    fields: $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                )
            }
    }
}

@Suite("BIP340")
struct BIP340Tests {
    @Test("the published vectors", arguments: try SchnorrVector.load())
    func published(_ item: SchnorrVector) throws {
        let message = hex(item.fields[4])
        let signature = hex(item.fields[5])
        if !item.fields[1].isEmpty {
            let key = try PrivateKey(hex(item.fields[1]), curve: .secp256k1)
            #expect(key.publicKey.x == hex(item.fields[2]))
            #expect(try BIP340.sign(message, with: key, auxiliary: hex(item.fields[3])) == signature)
        }
        guard let key = try? PublicKey(xOnly: hex(item.fields[2])) else {
            #expect(item.fields[6] == "FALSE")
            return
        }
        #expect(try BIP340.verify(signature, message: message, key: key) == (item.fields[6] == "TRUE"))
    }

    @Test("messages of any length", arguments: [0, 1, 17, 64, 100])
    func lengths(_ length: Int) throws {
        let key = try PrivateKey([UInt8](repeating: 0x11, count: 32), curve: .secp256k1)
        let message = [UInt8](repeating: 0x55, count: length)
        let signature = try BIP340.sign(message, with: key)
        #expect(try BIP340.verify(signature, message: message, key: key.publicKey))
        #expect(try !BIP340.verify(signature, message: message + [0], key: key.publicKey))
        #expect(try !BIP340.verify(Array(signature.dropLast()), message: message, key: key.publicKey))
    }

    @Test("auxiliary bytes of another length are refused")
    func auxiliary() throws {
        let key = try PrivateKey([UInt8](repeating: 0x11, count: 32), curve: .secp256k1)
        #expect(throws: CryptographyError.self) { try BIP340.sign([], with: key, auxiliary: [1]) }
    }
}
