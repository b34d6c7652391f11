// SPDX-License-Identifier: MIT

public import CardConnection
import NBTConstants
import SmartCard

/// A connection to the chip over I2C: the host's side of T=1'.
///
/// It speaks as the vendor's C library does: a start with parameters and resynchronization, the head of each block read
/// before its rest, two requests for a block that came broken, then one resynchronization, then a software reset. A
/// command is never sent twice by itself: where the link had to be begun anew, its fate is unknown and told as a fault.
public final class T1PrimeConnection: Connection {
    /// What is known of the bus and the chip on it.
    public private(set) var facts: ConnectionFacts
    /// How long one exchange may take before it counts as unanswered.
    public var exchangeDeadline: Duration
    /// What the chip told of its interface.
    public private(set) var parameters = T1PrimeParameters()

    private let bus: any I2CBus
    private let clock: any RigClock
    private var sendNumber = false
    private var receiveNumber = false
    private var isClosed = false

    /// What its facts call the protocol.
    public static let protocolName = "T=1'"

    /// How often a block is asked for again, or sent again, before the link is begun anew.
    private static let retryLimit = 2

    /// Starts the link: asks for the parameters, then resynchronizes.
    ///
    /// - Parameters:
    ///   - bus: The bus.
    ///   - clock: Where the pauses pass.
    ///   - deadline: How long one exchange may take.
    /// - Throws: ``TransportFault`` when the chip does not answer, or not as it should.
    public init(
        bus: any I2CBus,
        clock: any RigClock,
        deadline: Duration = .seconds(30)
    ) throws(TransportFault) {
        self.bus = bus
        self.clock = clock
        exchangeDeadline = deadline
        facts = ConnectionFacts(readerName: "I2C", atr: [], protocolName: Self.protocolName)
        try start()
    }

    /// Sends a command and waits for the answer.
    public func transmit(_ command: [UInt8]) throws(TransportFault) -> [UInt8] {
        guard !isClosed else {
            throw TransportFault(.transport, "the connection is closed", hint: "open a new one")
        }
        let end = clock.now + exchangeDeadline
        do throws(LinkTrouble) {
            try sendChain(command, until: end)
            let answer = try receiveChain(until: end)
            guard answer.count >= 2 else {
                throw .fault(TransportFault(.transport, "response too short (\(answer.count) bytes)"))
            }
            return answer
        } catch {
            throw recovered(from: error)
        }
    }

    /// Resets the chip: warm by a software reset of the interface, cold by the vendor's power-on reset.
    public func reset(_ kind: ResetKind) throws(TransportFault) {
        switch kind {
        case .warm:
            do throws(LinkTrouble) { _ = try ask(.softwareReset) } catch { throw error.fault }
        case .cold:
            // It has no answer; the chip is away for as long as its power takes to come up.
            do throws(LinkTrouble) {
                try write(T1PrimeBlock(.request(.powerOnReset)), until: clock.now + linkWaitingTime)
            } catch {
                throw error.fault
            }
            clock.wait(.milliseconds(parameters.powerWakeUpTime))
        }
        try start()
    }

    /// There is no field on I2C.
    public func setField(_ state: FieldState) throws(TransportFault) {
        throw TransportFault(.permission, "there is no field on I2C", hint: "use a reader's connection")
    }

    /// Starts the link anew; the chip keeps its state.
    public func reconnect() throws(TransportFault) {
        isClosed = false
        try start()
    }

    /// Ends the use of the link; nothing is sent.
    public func close() { isClosed = true }

    // MARK: - The link

    private var blockWaitingTime: Duration { .milliseconds(parameters.blockWaitingTime) }

    // A chip may name a minute for a block; the caller's limit holds for requests about the link all the same.
    private var linkWaitingTime: Duration { min(blockWaitingTime, exchangeDeadline) }

    private func start() throws(TransportFault) {
        parameters = T1PrimeParameters()
        let answer: [UInt8]
        do throws(LinkTrouble) { answer = try ask(.interfaceParameters) } catch { throw error.fault }
        do throws(T1PrimeError) {
            parameters = try T1PrimeParameters(bytes: answer)
        } catch {
            throw TransportFault(.protocol, error.description)
        }
        do throws(LinkTrouble) { try resynchronize() } catch { throw error.fault }
        facts.atr = parameters.historicalBytes
    }

    private func resynchronize() throws(LinkTrouble) {
        _ = try ask(.resynchronize)
        sendNumber = false
        receiveNumber = false
    }

    /// Begins the link anew after trouble, and gives the fault that the caller hears.
    private func recovered(from trouble: LinkTrouble) -> TransportFault {
        guard case .broken(let reason) = trouble else { return trouble.fault }
        var way = "the link was resynchronized"
        do throws(LinkTrouble) {
            try resynchronize()
        } catch {
            do throws(TransportFault) {
                try reset(.warm)
                way = "the interface was reset"
            } catch {
                return TransportFault(.transport, "the I2C link broke and cannot be begun anew: \(reason)")
            }
        }
        return TransportFault(
            .transport,
            "the I2C link broke: \(reason); \(way)",
            hint: "the chip may have carried the command out; read its state before you send it again"
        )
    }

    /// Sends a request about the link, again when its answer is broken, and gives the answer's information field.
    private func ask(_ about: T1PrimeBlock.Supervisory) throws(LinkTrouble) -> [UInt8] {
        var reason = ""
        for _ in 0...Self.retryLimit {
            let end = clock.now + linkWaitingTime
            try write(T1PrimeBlock(.request(about)), until: end)
            do throws(LinkTrouble) {
                let block = try receive(until: end)
                if block.kind == .response(about) { return block.information }
                reason = "another block came"
            } catch {
                guard case .broken(let text) = error else { throw error }
                reason = text
            }
        }
        throw .broken("a request about the link was not answered: \(reason)")
    }

    private func sendChain(_ command: [UInt8], until end: Duration) throws(LinkTrouble) {
        let size = max(1, parameters.informationSize)
        var start = 0
        repeat {
            let next = min(start + size, command.count)
            let hasMore = next < command.count
            let block = T1PrimeBlock(
                .information(number: sendNumber, more: hasMore),
                information: Array(command[start..<next])
            )
            try send(block, isAcknowledged: hasMore, until: end)
            sendNumber.toggle()
            start = next
        } while start < command.count
    }

    /// Sends an I-block; where another one follows, waits until the chip has asked for that.
    private func send(
        _ block: T1PrimeBlock,
        isAcknowledged: Bool,
        until end: Duration
    ) throws(LinkTrouble) {
        try write(block, until: end)
        guard isAcknowledged else {
            lastBlock = block
            return
        }
        var tries = 0
        while true {
            let answer = try receiveWithRetries(until: end)
            if answer.kind == .receiveReady(number: !sendNumber, error: .none) { return }
            tries += 1
            guard case .receiveReady = answer.kind, tries <= Self.retryLimit else {
                throw .broken("the chip did not acknowledge a block")
            }
            try write(block, until: end)
        }
    }

    private var lastBlock: T1PrimeBlock?

    private func receiveChain(until end: Duration) throws(LinkTrouble) -> [UInt8] {
        var answer: [UInt8] = []
        var repeats = 0
        while true {
            let block = try receiveWithRetries(until: end)
            switch block.kind {
            case .information(let number, let more):
                guard number == receiveNumber else { throw .broken("a block came out of turn") }
                answer += block.information
                guard answer.count <= facts.largestResponse else {
                    throw .broken("the chip's answer has more than \(facts.largestResponse) bytes")
                }
                receiveNumber.toggle()
                lastBlock = nil
                guard more else { return answer }
                try write(T1PrimeBlock(.receiveReady(number: receiveNumber, error: .none)), until: end)
            case .receiveReady(_, let error):
                // The chip asks for the last block of the command again; it has not taken it.
                repeats += 1
                guard error != .none, let lastBlock, repeats <= Self.retryLimit else {
                    throw .broken("the chip asked for a block again too often")
                }
                try write(lastBlock, until: end)
            case .request, .response:
                throw .broken("the chip spoke of the link in mid-command")
            }
        }
    }

    /// Receives a block, asks for a broken one again, and answers the chip's wishes for more time or another size.
    private func receiveWithRetries(until end: Duration) throws(LinkTrouble) -> T1PrimeBlock {
        var tries = 0
        var patience = clock.now + blockWaitingTime
        // What the chip got last, when that was an answer to a wish of its own.
        var grant: T1PrimeBlock?
        while true {
            let block: T1PrimeBlock
            do throws(LinkTrouble) {
                block = try receive(until: min(end, patience))
            } catch {
                guard case .broken(let reason) = error else { throw error }
                tries += 1
                guard tries <= Self.retryLimit else { throw .broken(reason) }
                try write(T1PrimeBlock(.receiveReady(number: receiveNumber, error: .checksum)), until: end)
                patience = clock.now + blockWaitingTime
                continue
            }
            switch block.kind {
            case .request where clock.now >= end:
                // Each wish is granted, but not for longer than the exchange may take.
                throw .fault(TransportFault(.timeout, "the chip asks for more time on I2C without end"))
            case .request(.waitingTime):
                let answer = T1PrimeBlock(.response(.waitingTime), information: block.information)
                grant = answer
                try write(answer, until: end)
                patience = clock.now + blockWaitingTime * Int(max(1, block.information.first ?? 1))
            case .request(.informationSize):
                let size = block.information.reduce(0) { $0 << 8 | Int($1) }
                guard (1...0xFFFF).contains(size) else {
                    throw .broken("the chip wants information fields of \(size) bytes")
                }
                parameters.informationSize = size
                let answer = T1PrimeBlock(.response(.informationSize), information: block.information)
                grant = answer
                try write(answer, until: end)
                patience = clock.now + blockWaitingTime
            case .receiveReady(_, let error) where error != .none && grant != nil:
                // It is the answer to the wish that came broken; the command before it was taken.
                tries += 1
                guard let grant, tries <= Self.retryLimit else {
                    throw .broken("the chip asked for a block again too often")
                }
                try write(grant, until: end)
                patience = clock.now + blockWaitingTime
            default:
                return block
            }
        }
    }

    // MARK: - Blocks on the bus

    private var pause: Duration { .microseconds(100 * max(1, parameters.pollingPause)) }

    private func write(_ block: T1PrimeBlock, until end: Duration) throws(LinkTrouble) {
        // Never nothing, so that time passes also where a chip keeps asking for more of it.
        clock.wait(.microseconds(max(1, parameters.guardTime)))
        let bytes = block.bytes
        while true {
            do throws(TransportFault) {
                if try bus.write(bytes) { return }
            } catch {
                throw .fault(error)
            }
            try waitForTurn(until: end)
        }
    }

    private func receive(until end: Duration) throws(LinkTrouble) -> T1PrimeBlock {
        // The smallest block; of a larger one its head and the first two bytes of information.
        var bytes = try read(T1PrimeBlock.headSize + T1PrimeBlock.checksumSize, until: end)
        let length = Int(bytes[2]) << 8 | Int(bytes[3])
        guard length <= Self.largestInformation else { throw .broken("a block announces \(length) bytes") }
        if length > 0 { bytes += try read(length, until: end) }
        do {
            return try T1PrimeBlock(bytes: bytes)
        } catch {
            throw .broken(error.description)
        }
    }

    /// More than any answer has; a length beyond it is a broken head.
    private static let largestInformation = 4096

    private func read(_ count: Int, until end: Duration) throws(LinkTrouble) -> [UInt8] {
        while true {
            do throws(TransportFault) {
                if let bytes = try bus.read(count) {
                    guard bytes.count == count else {
                        throw TransportFault(.transport, "the bus gave \(bytes.count) of \(count) bytes")
                    }
                    return bytes
                }
            } catch {
                throw .fault(error)
            }
            try waitForTurn(until: end)
        }
    }

    private func waitForTurn(until end: Duration) throws(LinkTrouble) {
        guard clock.now + pause < end else {
            throw .fault(TransportFault(.timeout, "the chip did not answer on I2C in time"))
        }
        clock.wait(pause)
    }
}

/// Trouble on the link.
private enum LinkTrouble: Error {
    /// The bus failed, or the chip is silent.
    case fault(TransportFault)
    /// Blocks came that are none, or not those that belong here.
    case broken(String)

    var fault: TransportFault {
        switch self {
        case .fault(let fault): fault
        case .broken(let reason): TransportFault(.protocol, "the chip does not speak T=1': \(reason)")
        }
    }
}
