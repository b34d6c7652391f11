// SPDX-License-Identifier: MIT

/// The chip's end of the block protocol: sequence numbers, chains, repetitions.
///
/// Source: GlobalPlatform T=1' over SPI/I2C 1.0; ISO/IEC 7816-3:2006 §11 for the rules that it takes over.
struct BlockLink: Sendable {
    /// What a block leads to.
    enum Step {
        /// A block goes back.
        case send([UInt8])
        /// A whole command came; its answer goes to ``answer(with:)``.
        case run([UInt8])
        /// The host gave the time that was asked for; a block goes back when that is used up.
        case granted([UInt8])
        /// The chip starts anew, and says so with these bytes or not at all.
        case reset([UInt8]?)
        /// Nothing goes back.
        case ignore
    }

    private let parameters: BlockParameters
    private var largestToHost: Int
    /// The number that the host's next I-block must have.
    private var expected: UInt8 = 0
    /// The number of the chip's next I-block.
    private var own: UInt8 = 0
    private var received: [UInt8] = []
    private var rest: ArraySlice<UInt8> = []
    private var last: [UInt8]
    /// The answer that is not ready, while the chip asks for time.
    private var unready: [UInt8]?
    /// How often it will ask again.
    private var requestsLeft = 0

    init(_ parameters: BlockParameters) {
        self.parameters = parameters
        largestToHost = Int(parameters.largestToHost)
        last = BlockFrame(Self.ready).toHost
    }

    mutating func take(_ bytes: [UInt8]) -> Step {
        let block: BlockFrame
        do throws(BlockFrame.Fault) {
            block = try BlockFrame(fromHost: bytes)
        } catch {
            switch error {
            case .checksum: return send(receiveReady(Self.checksumError))
            case .length: return send(receiveReady(Self.otherError))
            case .address: return .ignore
            }
        }
        switch block.control {
        case 0x00, 0x20, 0x40, 0x60: return takeInformation(block)
        case 0x80, 0x90: return takeAcknowledgement(block.control)
        case 0x81, 0x82, 0x91, 0x92: return .send(last)
        default: return takeSupervision(block)
        }
    }

    private mutating func takeInformation(_ block: BlockFrame) -> Step {
        let isInOrder = block.control & Self.sequenceBit == expected << 6
        guard isInOrder, block.information.count <= Int(parameters.largestFromHost) else {
            return send(receiveReady(Self.otherError))
        }
        expected ^= 1
        rest = []
        unready = nil
        received += block.information
        guard received.count <= Self.longestCommand else {
            received = []
            return send(receiveReady(Self.otherError))
        }
        guard block.control & Self.moreBit == 0 else { return send(receiveReady(0)) }
        defer { received = [] }
        return .run(received)
    }

    /// The host has the last block, or wants it again: the number tells which.
    private mutating func takeAcknowledgement(_ control: UInt8) -> Step {
        let wanted = control >> 4 & 1
        guard !rest.isEmpty, wanted == own else { return .send(last) }
        return .send(nextPart())
    }

    private mutating func takeSupervision(_ block: BlockFrame) -> Step {
        let response = block.control | Self.responseBit
        switch block.control {
        case Self.resynchronize:
            restart()
            return send(BlockFrame(response))
        case Self.informationSize:
            let size = block.information.reduce(0) { $0 << 8 | Int($1) }
            guard (1...2).contains(block.information.count), size > 0 else {
                return send(receiveReady(Self.otherError))
            }
            largestToHost = size
            return send(BlockFrame(response, block.information))
        case Self.waitingTime | Self.responseBit:
            guard let bytes = unready, block.information == Self.timeWanted else {
                return send(receiveReady(Self.otherError))
            }
            return .granted(answer(with: bytes, after: requestsLeft))
        case Self.abort:
            received = []
            rest = []
            unready = nil
            return send(BlockFrame(response))
        case Self.interfaceParameters:
            return send(BlockFrame(response, parameters.encoded))
        case Self.release:
            return send(BlockFrame(response))
        case Self.softwareReset:
            restart()
            _ = send(BlockFrame(response))
            return .reset(last)
        case Self.powerOnReset:
            restart()
            return .reset(nil)
        default:
            return send(receiveReady(Self.otherError))
        }
    }

    /// The first block of a command's answer, or a request for more time.
    ///
    /// - Parameters:
    ///   - bytes: The answer.
    ///   - requests: How often the chip asks for more time before.
    /// - Returns: The block.
    mutating func answer(with bytes: [UInt8], after requests: Int = 0) -> [UInt8] {
        guard requests == 0 else {
            unready = bytes
            requestsLeft = requests - 1
            last = BlockFrame(Self.waitingTime, Self.timeWanted).toHost
            return last
        }
        unready = nil
        rest = bytes[...]
        return nextPart()
    }

    private mutating func nextPart() -> [UInt8] {
        let part = rest.prefix(largestToHost)
        rest = rest.dropFirst(part.count)
        let control = own << 6 | (rest.isEmpty ? 0 : Self.moreBit)
        own ^= 1
        last = BlockFrame(control, Array(part)).toHost
        return last
    }

    private mutating func send(_ block: BlockFrame) -> Step {
        last = block.toHost
        return .send(last)
    }

    private func receiveReady(_ error: UInt8) -> BlockFrame {
        BlockFrame(Self.ready | expected << 4 | error)
    }

    /// Forgets numbers and chains.
    private mutating func restart() {
        expected = 0
        own = 0
        received = []
        rest = []
        unready = nil
    }

    private static let sequenceBit: UInt8 = 0x40
    private static let moreBit: UInt8 = 0x20
    private static let responseBit: UInt8 = 0x20
    private static let ready: UInt8 = 0x80
    private static let checksumError: UInt8 = 0x01
    private static let otherError: UInt8 = 0x02
    private static let resynchronize: UInt8 = 0xC0
    private static let informationSize: UInt8 = 0xC1
    private static let abort: UInt8 = 0xC2
    private static let waitingTime: UInt8 = 0xC3
    /// Once the block waiting time.
    private static let timeWanted: [UInt8] = [0x01]
    private static let interfaceParameters: UInt8 = 0xC4
    private static let release: UInt8 = 0xC6
    private static let softwareReset: UInt8 = 0xCF
    /// The vendor's own; it has no response.
    private static let powerOnReset: UInt8 = 0xD8
    /// No command of the chip is longer: a short one has 261 bytes, PUT RESPONSE 263.
    private static let longestCommand = 1024
}
