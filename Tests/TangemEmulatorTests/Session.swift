// SPDX-License-Identifier: MIT

import Cryptography
import TangemConstants
import Testing

@testable import TangemEmulator

/// The host's side of an encrypted session, written anew for the tests.
struct Session {
    enum Mode: UInt8 {
        case fast = 1
        case strong = 2
    }

    let mode: Mode
    let key: [UInt8]
    let bench: CardBench

    /// Opens a session with the bench's access code.
    static func open(_ mode: Mode, _ bench: CardBench) throws -> Session {
        let own = try PrivateKey([UInt8](repeating: 0x66, count: 32), curve: .secp256k1)
        let part = mode == .fast ? [UInt8](0xA0...0xAF) : own.publicKey.uncompressed
        let answer = bench.once(.openSession, [(.sessionKeyA, part)], p2: mode.rawValue)
        #expect(answer.sw == "9000")
        let other = try #require(answer[.sessionKeyB])
        let uid = answer[.uid] ?? bench.card.uid
        let secret =
            mode == .fast
            ? part + other : try ECDH.sharedX(own, PublicKey(other, curve: .secp256k1))
        let protocolKey = try PBKDF2.key(password: bench.pin1, salt: uid, rounds: 50, length: 32)
        return Session(mode: mode, key: SHA256.digest(secret + protocolKey), bench: bench)
    }

    func seal(_ body: [UInt8]) throws -> [UInt8] {
        let packet = [UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + crc(body) + body
        return try AES(key: key).encrypt(packet, mode: .cbcFromZeros, padding: .pkcs7)
    }

    /// Sends a command, waits for its delay, and decrypts the answer.
    func send(_ instruction: TangemInstruction, _ items: [(TangemTag, [UInt8])]) -> Answer {
        do {
            let body = try seal(CardBench.list(items))
            let answer = bench.poll(CardBench.apdu(instruction, body: body, p1: mode.rawValue))
            guard answer.data.count >= 16 else { return answer }
            let packet = try AES(key: key).decrypt(answer.data, mode: .cbcFromZeros, padding: .pkcs7)
            let plain = Array(packet.dropFirst(4))
            #expect(packet.prefix(2) == [UInt8(plain.count >> 8), UInt8(plain.count & 0xFF)])
            #expect(Array(packet[2..<4]) == crc(plain))
            return Answer(data: plain, sw: answer.sw, time: answer.time)
        } catch {
            Issue.record("the session cannot be used: \(error)")
            return Answer(data: [], sw: "", time: .zero)
        }
    }

    /// Bit by bit from the highest, on reflected bytes: another form of the card's algorithm.
    private func crc(_ bytes: [UInt8]) -> [UInt8] {
        var value: UInt16 = 0xC6C6
        for byte in bytes {
            var reflected: UInt8 = 0
            for bit in 0..<8 where byte >> UInt8(bit) & 1 == 1 { reflected |= 0x80 >> UInt8(bit) }
            value ^= UInt16(reflected) << 8
            for _ in 0..<8 { value = value & 0x8000 != 0 ? value << 1 ^ 0x1021 : value << 1 }
        }
        var out: UInt16 = 0
        for bit in 0..<16 where value >> UInt16(bit) & 1 == 1 { out |= 0x8000 >> UInt16(bit) }
        return [UInt8(out & 0xFF), UInt8(out >> 8)]
    }
}
