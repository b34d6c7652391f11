// SPDX-License-Identifier: MIT

import Cryptography
import FuzzInput

@testable import Tangem
@testable import TangemEmulator

/// Encrypted bodies: what one side seals the other one opens, and both refuse the same packets.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = FuzzInput(data, size).bytes
    guard let sides else { preconditionFailure("a key of 32 bytes is refused") }
    let (host, card) = sides
    if bytes.count <= 0xFFFF {
        let sealedByHost = attempt { try host.encrypt(bytes) }
        let sealedByCard = attempt { try card.seal(bytes) }
        precondition(sealedByHost != nil && sealedByHost == sealedByCard, "two packets of one body")
        precondition(card.open(sealedByHost ?? []) == bytes, "the card cannot open the host's packet")
        precondition(attempt { try host.decrypt(sealedByCard ?? []) } == bytes, "nor the host the card's")
    }
    // A packet that is well encrypted and wrong inside.
    if let wrong = attempt({ try AES(key: key).encrypt(bytes, mode: .cbcFromZeros, padding: .pkcs7) }) {
        precondition(attempt { try host.decrypt(wrong) } == card.open(wrong), "one side takes the packet")
    }
    // The host takes less than a block as not encrypted; the card never does.
    if bytes.count >= AES.blockLength {
        precondition(attempt { try host.decrypt(bytes) } == card.open(bytes), "one side takes the bytes")
    } else {
        precondition(card.open(bytes) == nil, "the card takes bytes that are not encrypted")
    }
    return 0
}

private let key = [UInt8](repeating: 0x5A, count: 32)

private let sides: (host: Tangem.SessionCipher, card: TangemEmulator.SessionCipher)? = {
    guard let host = attempt({ try Tangem.SessionCipher(encryption: .fast, key: key) }) else { return nil }
    return (host, TangemEmulator.SessionCipher(mode: 1, key: key))
}()
