// SPDX-License-Identifier: MIT

/// Reads the fields of a request, little-endian, from front to back.
struct PacketReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    /// Why a request cannot be carried out: it ends too early.
    struct EndOfPacket: Error {}

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(EndOfPacket) -> UInt8 {
        guard position < bytes.count else { throw EndOfPacket() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func half() throws(EndOfPacket) -> UInt16 {
        let low = try byte()
        return UInt16(low) | UInt16(try byte()) << 8
    }

    mutating func word() throws(EndOfPacket) -> UInt32 {
        let low = try half()
        return UInt32(low) | UInt32(try half()) << 16
    }

    mutating func bytes(_ count: Int) throws(EndOfPacket) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw EndOfPacket() }
        defer { position += count }
        return bytes[position..<position + count]
    }
}

extension [UInt8] {
    /// Adds a word, little-endian.
    mutating func add(_ word: UInt32) {
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    /// Adds a half word, little-endian.
    mutating func add(_ half: UInt16) {
        append(UInt8(truncatingIfNeeded: half))
        append(UInt8(truncatingIfNeeded: half >> 8))
    }
}
