// SPDX-License-Identifier: MIT

public import CardConnection

/// The memory of a chip behind a debug probe: registers are read and written while its cores run on.
///
/// Belongs to one thread at a time.
public final class TargetMemory {
    private let port: DebugPort
    private var accessPort: UInt8?
    /// What CSW and TAR of the access port hold; nil when that is not known.
    private var status: UInt32?
    private var address: UInt32?

    /// Access ports in the order in which they are tried: the system bus, then the cores' own.
    private static let portOrder: [UInt8] = [0, 2, 1]
    /// 32-bit accesses, privileged data, without increment.
    private static let plainAccess: UInt32 = 0x2300_0002
    /// The same with the address counting on.
    private static let countingAccess: UInt32 = 0x2300_0012
    /// DeviceEn of CSW.
    private static let isEnabled: UInt32 = 0x40
    /// The address counts on within blocks of this many bytes only.
    private static let wrap: UInt32 = 0x400
    /// Where a core's debug and reset registers lie: writes there could halt or reset it.
    ///
    /// Source: Armv7-M Architecture Reference Manual, B3.1 (private peripheral bus); DHCSR is E000EDF0, AIRCR E000ED0C.
    private static let privatePeripherals: ClosedRange<UInt32> = 0xE000_0000...0xE00F_FFFF

    /// Takes a probe; unless told otherwise, wakes the chip behind it and finds a way to its memory.
    ///
    /// - Parameters:
    ///   - link: The probe; closed when this fails, and with ``close()``.
    ///   - clock: The time to wait in.
    ///   - wakesChip: False leaves that to the first access, so that a chip that is held in reset can be let go.
    /// - Throws: `ProbeError` that says what is missing.
    public init(
        _ link: any ProbeLink,
        clock: any RigClock = SystemClock(),
        wakesChip: Bool = true
    ) throws(ProbeError) {
        port = DebugPort(DAPClient(link), now: { clock.now }, wait: { clock.wait($0) })
        do {
            try port.takeProbe()
            if wakesChip { try wake() }
        } catch {
            link.close()
            throw error
        }
    }

    /// What the probe is called in messages.
    public var name: String { port.client.link.name }

    /// The identification of the chip's debug port; 6BA02477 for a PSoC 62.
    public var debugPortIdentity: UInt32 { port.identity }

    /// The access port through which memory is read.
    public var accessPortNumber: UInt8 { accessPort ?? 0 }

    /// Wakes the chip and finds a way to its memory, where that was not done yet.
    public func open() throws(ProbeError) {
        if accessPort == nil { try wake() }
    }

    // MARK: Reading

    /// Reads words, in the order of the addresses; as many as pass are read in one packet, back to back.
    ///
    /// - Parameter addresses: Addresses of words, each divisible by 4; the same one may stand more than once.
    /// - Returns: The words.
    /// - Throws: `ProbeError` when the chip refuses or does not answer.
    public func read(_ addresses: [UInt32]) throws(ProbeError) -> [UInt32] {
        try awake { () throws(ProbeError) in
            var transfers = accessing(Self.plainAccess)
            for address in addresses {
                transfers += pointing(at: address) + [.readDataWord]
            }
            return try run(transfers, Self.place(addresses.first ?? 0))
        }
    }

    /// Reads a word.
    public func read(_ address: UInt32) throws(ProbeError) -> UInt32 {
        try read([address]).first ?? 0
    }

    /// Reads words that follow each other.
    ///
    /// - Parameters:
    ///   - start: The first address, divisible by 4.
    ///   - count: Number of words.
    /// - Returns: The words.
    /// - Throws: `ProbeError` when the chip refuses or does not answer.
    public func readBlock(_ start: UInt32, count: Int) throws(ProbeError) -> [UInt32] {
        try awake { () throws(ProbeError) in
            var words: [UInt32] = []
            while words.count < count {
                let next = start &+ UInt32(truncatingIfNeeded: words.count * 4)
                // The address wraps inside its block, and each packet has room for so many words.
                let untilWrap = Int((Self.wrap - next % Self.wrap) / 4)
                let room = (port.client.packetSize - 4) / 4
                let size = min(count - words.count, untilWrap, room)
                let transfers = accessing(Self.countingAccess) + pointing(at: next)
                if !transfers.isEmpty { _ = try run(transfers, Self.place(next)) }
                address = nil
                words += try port.block(size, .readDataWord, Self.place(next))
                let after = next &+ UInt32(truncatingIfNeeded: size * 4)
                address = after % Self.wrap == 0 ? nil : after
            }
            return words
        }
    }

    /// Lets the probe look at a word until some of its bits have a value.
    ///
    /// - Parameters:
    ///   - address: The word's address.
    ///   - mask: The bits that count.
    ///   - value: What they have to be.
    ///   - retries: How often the probe looks again before it gives up.
    /// - Returns: False when the value did not come.
    /// - Throws: `ProbeError` when the chip refuses or does not answer.
    public func wait(
        for address: UInt32,
        mask: UInt32,
        value: UInt32,
        retries: UInt16
    ) throws(ProbeError) -> Bool {
        try awake { () throws(ProbeError) in
            let start = accessing(Self.plainAccess)
            if !start.isEmpty { _ = try run(start, Self.place(address)) }
            let isThere = self.address == address
            self.address = nil
            let transfers: [DAPTransfer] =
                [.matchMask(mask)] + (isThere ? [] : [.writeAddress(address)]) + [
                    .matchDataWord(value & mask)
                ]
            let matches = try port.match(transfers, retries: retries, Self.place(address))
            self.address = address
            return matches
        }
    }

    // MARK: Writing

    /// Writes a word.
    ///
    /// - Parameters:
    ///   - address: The word's address; the registers by which a core is halted or reset are refused.
    ///   - value: The word.
    /// - Throws: `ProbeError` of kind `refused`, or when the chip refuses or does not answer.
    public func write(_ address: UInt32, _ value: UInt32) throws(ProbeError) {
        guard !Self.privatePeripherals.contains(address) else {
            throw ProbeError(
                "\(address.hexText) is not written: it could halt or reset the core of the device under test",
                kind: .refused
            )
        }
        try open()
        // A write whose acknowledge was lost may have been done, so it is not repeated by itself.
        let transfers = accessing(Self.plainAccess) + pointing(at: address) + [.writeDataWord(value)]
        _ = try run(transfers, Self.place(address))
    }

    // MARK: Reset

    /// Pulls the reset line of the board.
    public func holdReset() throws(ProbeError) {
        try port.pullReset(true)
        accessPort = nil
        (status, address) = (nil, nil)
    }

    /// Lets the reset line go; the debug port is woken again before the next access.
    public func releaseReset() throws(ProbeError) {
        try port.pullReset(false)
        accessPort = nil
        (status, address) = (nil, nil)
    }

    /// Lets go of the probe.
    public func close() { port.end() }

    // MARK: Steps

    /// Does something with the port awake; a chip that lost its debug port meanwhile, as by a reset, is woken once.
    private func awake<Result>(_ body: () throws(ProbeError) -> Result) throws(ProbeError) -> Result {
        try open()
        do {
            return try body()
        } catch {
            guard error.kind == .target else { throw error }
            (status, address) = (nil, nil)
            do {
                try wake()
            } catch {
                accessPort = nil
                throw error
            }
            return try body()
        }
    }

    private func wake() throws(ProbeError) {
        try port.wake()
        try openAccessPort()
    }

    /// Takes the first access port that is there and open.
    private func openAccessPort() throws(ProbeError) {
        (status, address) = (nil, nil)
        var seen: [String] = []
        var waits = false
        for number in Self.portOrder {
            do {
                let identity = try port.run(
                    port.selecting(port: number, bank: 0xF) + [.readDataWord],
                    "access port \(number)"
                )
                _ = try port.run(port.selecting(port: number, bank: 0), "access port \(number)")
                guard let found = identity.first, found != 0 else {
                    seen.append("\(number) is not there")
                    continue
                }
                let status = try port.run(
                    [.writeStatusWord(Self.plainAccess), .readStatusWord],
                    "access port \(number)"
                )
                guard let word = status.first, word & Self.isEnabled != 0 else {
                    seen.append("\(number) is closed")
                    continue
                }
                accessPort = number
                self.status = Self.plainAccess
                return
            } catch {
                guard error.kind == .target else { throw error }
                switch error.acknowledge {
                case .wait?: seen.append("\(number) keeps asking to wait")
                case .fault?: seen.append("\(number) reports a fault")
                default: seen.append("\(number) does not answer")
                }
                waits = waits || error.acknowledge == .wait
            }
        }
        throw ProbeError(
            "no access port of the chip behind the \(name) is open: \(seen.joined(separator: ", ")); "
                + (waits
                    ? "its bus is busy or hangs, so reset the board" : "its debug access may be restricted"),
            kind: .target
        )
    }

    private func run(_ transfers: [DAPTransfer], _ place: String) throws(ProbeError) -> [UInt32] {
        do {
            return try port.run(transfers, place)
        } catch {
            (status, address) = (nil, nil)
            throw error
        }
    }

    private func accessing(_ wanted: UInt32) -> [DAPTransfer] {
        guard status != wanted else { return [] }
        status = wanted
        return [.writeStatusWord(wanted)]
    }

    private func pointing(at wanted: UInt32) -> [DAPTransfer] {
        guard address != wanted else { return [] }
        address = wanted
        return [.writeAddress(wanted)]
    }

    private static func place(_ address: UInt32) -> String { "address \(address.hexText)" }
}
