// SPDX-License-Identifier: MIT

/// The checksum of a block: CRC-16/X-25.
///
/// Polynomial 1021 reflected, all ones at the start and inverted at the end, the high byte sent first.
/// Source: GPC_SPE_172 §8; ISO/IEC 13239 §4.2.5.2.
public enum T1PrimeChecksum {
    /// The checksum of bytes.
    public static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
        var value: UInt16 = 0xFFFF
        for byte in bytes {
            value ^= UInt16(byte)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x8408 }
        }
        return ~value
    }
}
