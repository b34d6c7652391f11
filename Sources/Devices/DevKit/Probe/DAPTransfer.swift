// SPDX-License-Identifier: MIT

/// One access to a register of the debug port or of an access port, as DAP_Transfer carries it.
///
/// Source: CMSIS-DAP, DAP_Transfer: bit 0 access port, bit 1 read, bits 3..2 address, bit 4 match value, bit 5 match mask.
struct DAPTransfer: Hashable, Sendable {
    /// The request byte.
    let request: UInt8
    /// The word that follows it; nil for a plain read.
    let word: UInt32?

    /// True when the answer holds a word for it.
    var returnsWord: Bool { request & 0x02 != 0 && request & 0x10 == 0 }

    /// The bytes of the request.
    var bytes: [UInt8] { [request] + (word?.littleEndianBytes ?? []) }

    /// Writes ABORT, which clears sticky errors.
    static func abort(_ flags: UInt32) -> DAPTransfer { DAPTransfer(request: 0x00, word: flags) }
    /// Reads the identification of the debug port.
    static let readIdentity = DAPTransfer(request: 0x02, word: nil)
    /// Writes CTRL/STAT.
    static func writeControl(_ value: UInt32) -> DAPTransfer { DAPTransfer(request: 0x04, word: value) }
    /// Reads CTRL/STAT.
    static let readControl = DAPTransfer(request: 0x06, word: nil)
    /// Chooses an access port and a bank of its registers.
    static func select(port: UInt8, bank: UInt8) -> DAPTransfer {
        DAPTransfer(request: 0x08, word: UInt32(port) << 24 | UInt32(bank) << 4)
    }
    /// Reads the register at C of the chosen bank: DRW in bank 0, IDR in bank F.
    static let readDataWord = DAPTransfer(request: 0x0F, word: nil)
    /// Writes DRW.
    static func writeDataWord(_ value: UInt32) -> DAPTransfer { DAPTransfer(request: 0x0D, word: value) }
    /// Writes CSW.
    static func writeStatusWord(_ value: UInt32) -> DAPTransfer { DAPTransfer(request: 0x01, word: value) }
    /// Reads CSW.
    static let readStatusWord = DAPTransfer(request: 0x03, word: nil)
    /// Writes TAR, the address of the next access.
    static func writeAddress(_ value: UInt32) -> DAPTransfer { DAPTransfer(request: 0x05, word: value) }
    /// Tells the probe which bits count in the match that follows; touches no register.
    static func matchMask(_ mask: UInt32) -> DAPTransfer { DAPTransfer(request: 0x20, word: mask) }
    /// Reads DRW until it matches.
    static func matchDataWord(_ value: UInt32) -> DAPTransfer { DAPTransfer(request: 0x1F, word: value) }
}

/// What became of a list of transfers.
struct DAPOutcome: Hashable, Sendable {
    /// Transfers that were carried out; the one that failed does not count.
    let done: Int
    /// The last response: acknowledge in bits 2..0, 08 protocol error, 10 value mismatch.
    let response: UInt8
    /// The words that were read, in order.
    let words: [UInt32]

    /// How the chip acknowledged the last transfer.
    enum Acknowledge: Hashable, Sendable {
        case ok
        case wait
        case fault
        /// Nothing, or nothing that makes sense.
        case none
    }

    /// How the chip acknowledged the last transfer.
    var acknowledge: Acknowledge {
        guard response & 0x08 == 0 else { return .none }
        switch response & 0x07 {
        case 1: return .ok
        case 2: return .wait
        case 4: return .fault
        default: return .none
        }
    }

    /// True when a value did not come to match.
    var isMismatch: Bool { response & 0x10 != 0 }
}

extension UInt32 {
    /// The four bytes, the lowest first.
    var littleEndianBytes: [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    /// Reads four bytes, the lowest first.
    init(littleEndian bytes: some Sequence<UInt8>) {
        self = bytes.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
    }

    /// Eight digits of upper-case hex.
    var hexText: String {
        let text = String(self, radix: 16, uppercase: true)
        return String(repeating: "0", count: Swift.max(0, 8 - text.count)) + text
    }
}
