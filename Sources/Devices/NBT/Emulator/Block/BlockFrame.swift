// SPDX-License-Identifier: MIT

/// One block on the I2C bus: `NAD PCB LEN(2) INF CRC(2)`.
///
/// Source: GlobalPlatform T=1' over SPI/I2C 1.0 §3.2, as the vendor's C library (MIT) writes it.
struct BlockFrame: Hashable, Sendable {
    let control: UInt8
    let information: [UInt8]

    init(_ control: UInt8, _ information: [UInt8] = []) {
        self.control = control
        self.information = information
    }

    /// What is wrong with the bytes of a block.
    enum Fault: Error {
        /// The checksum does not fit; the host is asked to repeat.
        case checksum
        /// Lengths do not fit.
        case length
        /// It is addressed to somebody else.
        case address
    }

    /// Reads a block of the host.
    init(fromHost bytes: [UInt8]) throws(Fault) {
        guard bytes.count >= Self.overhead else { throw .length }
        let body = bytes.dropLast(2)
        guard Self.checksum(of: body) == Array(bytes.suffix(2)) else { throw .checksum }
        guard bytes[0] == Self.hostToChip else { throw .address }
        guard Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count - Self.overhead else { throw .length }
        control = bytes[1]
        information = Array(body.dropFirst(4))
    }

    /// The bytes of a block of the chip.
    var toHost: [UInt8] {
        let head = [
            Self.chipToHost, control, ChipState.high(information.count), ChipState.low(information.count),
        ]
        let body = head + information
        return body + Self.checksum(of: body[...])
    }

    /// CRC-16/X-25, high byte first.
    static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        var register: UInt16 = 0xFFFF
        for byte in bytes {
            register ^= UInt16(byte)
            for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ 0x8408 }
        }
        register = ~register
        return [ChipState.high(Int(register)), ChipState.low(Int(register))]
    }

    private static let hostToChip: UInt8 = 0x21
    private static let chipToHost: UInt8 = 0x12
    /// Bytes of a block without information.
    static let overhead = 6
}
