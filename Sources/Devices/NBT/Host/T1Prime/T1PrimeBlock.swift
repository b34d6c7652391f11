// SPDX-License-Identifier: MIT

public import NBTConstants
import SmartCard

/// A block of the T=1' protocol: node address, control byte, length of two bytes, information, checksum.
///
/// Source: GPC_SPE_172 §8, as the vendor's public C library uses it.
public struct T1PrimeBlock: Hashable, Sendable {
    /// What a block is for.
    public enum Kind: Hashable, Sendable {
        /// A piece of a command or answer, with its sequence number; more says that another one follows.
        case information(number: Bool, more: Bool)
        /// An acknowledgement, or a request to send again, with the number that is expected next.
        case receiveReady(number: Bool, error: ReceiveError)
        /// A request about the link.
        case request(Supervisory)
        /// The answer to a request about the link.
        case response(Supervisory)
    }

    /// Why a block is asked for again.
    public enum ReceiveError: UInt8, Hashable, Sendable {
        /// It is not: the block acknowledges.
        case none = 0x00
        /// The checksum was wrong.
        case checksum = 0x01
        /// Something else was wrong.
        case other = 0x02
    }

    /// What an S-block is about; an open set.
    public struct Supervisory: RawRepresentable, Hashable, Sendable {
        /// The low five bits of the control byte.
        public let rawValue: UInt8

        /// Makes it from the low five bits of the control byte.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Begin counting anew.
        public static let resynchronize = Supervisory(rawValue: T1PrimeByte.resynchronize)
        /// Change of the largest information field.
        public static let informationSize = Supervisory(rawValue: T1PrimeByte.informationSize)
        /// End of a chain.
        public static let abort = Supervisory(rawValue: T1PrimeByte.abort)
        /// More time.
        public static let waitingTime = Supervisory(rawValue: T1PrimeByte.waitingTime)
        /// The communication interface parameters.
        public static let interfaceParameters = Supervisory(rawValue: T1PrimeByte.interfaceParameters)
        /// Release of the interface.
        public static let release = Supervisory(rawValue: T1PrimeByte.release)
        /// Software reset.
        public static let softwareReset = Supervisory(rawValue: T1PrimeByte.softwareReset)
        /// Power-on reset of the vendor, which has no answer.
        public static let powerOnReset = Supervisory(rawValue: T1PrimeByte.powerOnReset)
    }

    /// What the block is for.
    public let kind: Kind
    /// The information field.
    public let information: [UInt8]
    /// The node address: sender in the high nibble, receiver in the low one.
    public let nodeAddress: UInt8

    /// Bytes before the information field.
    public static let headSize = 4
    /// Bytes of the checksum.
    public static let checksumSize = 2

    /// Makes a block, by default one from the host to the chip.
    ///
    /// - Parameters:
    ///   - kind: What it is for.
    ///   - information: The information field, at most 65 535 bytes; the rest is cut off.
    ///   - nodeAddress: Sender and receiver.
    public init(
        _ kind: Kind,
        information: [UInt8] = [],
        nodeAddress: UInt8 = T1PrimeByte.hostToChip
    ) {
        self.kind = kind
        self.information = Array(information.prefix(0xFFFF))
        self.nodeAddress = nodeAddress
    }

    /// Reads a block.
    ///
    /// - Parameter bytes: The whole block.
    /// - Throws: ``T1PrimeError`` when it is cut short, its checksum is wrong, or its address or control byte is none.
    public init(bytes: [UInt8]) throws(T1PrimeError) {
        guard bytes.count >= Self.headSize + Self.checksumSize else { throw .cut(count: bytes.count) }
        let length = Int(bytes[2]) << 8 | Int(bytes[3])
        let end = Self.headSize + length
        guard bytes.count == end + Self.checksumSize else {
            throw .wrongLength(announced: length, present: bytes.count - Self.headSize - Self.checksumSize)
        }
        guard T1PrimeChecksum.of(bytes[..<end]) == UInt16(bytes[end]) << 8 | UInt16(bytes[end + 1]) else {
            throw .wrongChecksum
        }
        let nibbles = [bytes[0] >> 4, bytes[0] & 0x0F]
        guard nibbles.allSatisfy({ $0 != 0x0 && $0 != 0xF }) else { throw .wrongAddress(bytes[0]) }
        guard let kind = Self.kind(of: bytes[1]) else { throw .wrongControl(bytes[1]) }
        self.kind = kind
        information = Array(bytes[Self.headSize..<end])
        nodeAddress = bytes[0]
    }

    /// The bytes on the bus.
    public var bytes: [UInt8] {
        var out = [nodeAddress, control]
        out += [
            UInt8(truncatingIfNeeded: information.count >> 8), UInt8(truncatingIfNeeded: information.count),
        ]
        out += information
        let checksum = T1PrimeChecksum.of(out)
        return out + [UInt8(truncatingIfNeeded: checksum >> 8), UInt8(truncatingIfNeeded: checksum)]
    }

    private var control: UInt8 {
        switch kind {
        case .information(let number, let more):
            (number ? T1PrimeByte.sendNumber : 0) | (more ? T1PrimeByte.more : 0)
        case .receiveReady(let number, let error):
            T1PrimeByte.receiveReady | (number ? T1PrimeByte.receiveNumber : 0) | error.rawValue
        case .request(let about):
            T1PrimeByte.supervisory | about.rawValue
        case .response(let about):
            T1PrimeByte.supervisory | T1PrimeByte.supervisoryResponse | about.rawValue
        }
    }

    private static func kind(of control: UInt8) -> Kind? {
        if control & 0x80 == 0 {
            guard control & 0x1F == 0 else { return nil }
            return .information(
                number: control & T1PrimeByte.sendNumber != 0,
                more: control & T1PrimeByte.more != 0
            )
        }
        if control & T1PrimeByte.supervisory == T1PrimeByte.supervisory {
            let about = Supervisory(rawValue: control & 0x1F)
            return control & T1PrimeByte.supervisoryResponse == 0 ? .request(about) : .response(about)
        }
        guard control & 0x2C == 0, let error = ReceiveError(rawValue: control & 0x0F) else { return nil }
        return .receiveReady(number: control & T1PrimeByte.receiveNumber != 0, error: error)
    }
}

/// Why bytes are no block.
public enum T1PrimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Fewer bytes than the smallest block has.
    case cut(count: Int)
    /// The length field and the number of bytes differ.
    case wrongLength(announced: Int, present: Int)
    /// The checksum is wrong.
    case wrongChecksum
    /// A node address with a nibble of 0 or F.
    case wrongAddress(UInt8)
    /// A control byte of no block.
    case wrongControl(UInt8)
    /// Interface parameters that cannot be read.
    case wrongParameters(String)

    /// What is wrong.
    public var description: String {
        switch self {
        case .cut(let count): "a block has at least 6 bytes, here are \(count)"
        case .wrongLength(let announced, let present):
            "the block announces \(announced) bytes of information and has \(present)"
        case .wrongChecksum: "the checksum of the block is wrong"
        case .wrongAddress(let address): "\([address].hex) is no node address"
        case .wrongControl(let control): "\([control].hex) is no control byte"
        case .wrongParameters(let reason): "the interface parameters cannot be read: \(reason)"
        }
    }
}
