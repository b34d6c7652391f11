// SPDX-License-Identifier: MIT

public import TangemConstants

/// A command as the card wants it: three bytes of Lc for any body, and no Le unless somebody asks.
public struct CommandFrame: Hashable, Sendable {
    /// Instruction.
    public let instruction: TangemInstruction
    /// First parameter byte: how the body is encrypted.
    public let p1: UInt8
    /// Second parameter byte; only OPEN_SESSION uses it.
    public let p2: UInt8
    /// The body, at most 65 535 bytes.
    public let body: [UInt8]
    /// What is written as Le, kept within 0 to 65 535; nil for no Le.
    public let le: Int?

    /// Makes a frame.
    ///
    /// - Parameters:
    ///   - instruction: Instruction.
    ///   - p1: First parameter byte.
    ///   - p2: Second parameter byte.
    ///   - body: The body.
    ///   - le: What is written as Le; nil for no Le.
    /// - Throws: `failedToBuildCommandApdu` when the body is too long.
    public init(
        _ instruction: TangemInstruction,
        p1: UInt8 = 0,
        p2: UInt8 = 0,
        body: [UInt8],
        le: Int? = nil
    ) throws(TangemError) {
        guard body.count <= 0xFFFF else {
            throw TangemError(
                .failedToBuildCommandApdu,
                "the body has \(body.count) bytes, an APDU holds 65535"
            )
        }
        self.instruction = instruction
        self.p1 = p1
        self.p2 = p2
        self.body = body
        self.le = le.map { min(max($0, 0), 0xFFFF) }
    }

    /// The bytes on the wire.
    public var bytes: [UInt8] {
        var out = [TangemInstruction.cla, instruction.rawValue, p1, p2]
        if !body.isEmpty {
            out += [0] + BigEndian.bytes(body.count, count: 2) + body
        }
        if let le {
            if body.isEmpty { out.append(0) }
            out += BigEndian.bytes(le, count: 2)
        }
        return out
    }

    /// SELECT of the wallet application, the one command with a short Lc.
    public static let select: [UInt8] =
        [
            TangemInstruction.cla, TangemInstruction.select.rawValue, 0x04, 0x00,
            UInt8(truncatingIfNeeded: TangemLimits.walletAID.count),
        ] + TangemLimits.walletAID
}
