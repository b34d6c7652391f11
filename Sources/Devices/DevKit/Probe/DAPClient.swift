// SPDX-License-Identifier: MIT

/// Speaks CMSIS-DAP over a link: makes requests, checks and parts answers.
///
/// Never sends vendor commands (80 to 9F): on some probes they switch modes, up to the boot loader.
/// Source: CMSIS-DAP reference manual, sections on commands; multi-byte fields are little-endian.
final class DAPClient {
    /// The way to the probe.
    let link: any ProbeLink
    /// The longest packet of the probe, either way.
    private(set) var packetSize = 64

    /// What the second byte of an answer says when a command was carried out.
    private static let isDone: UInt8 = 0x00
    /// The answer of a probe to a command that it does not know.
    private static let unknown: UInt8 = 0xFF

    init(_ link: any ProbeLink) {
        self.link = link
    }

    // MARK: The probe

    /// Items of DAP_Info.
    enum Info: UInt8 {
        case vendor = 0x01
        case product = 0x02
        case serial = 0x03
        case protocolVersion = 0x04
        case firmware = 0x09
        case capabilities = 0xF0
        case packetCount = 0xFE
        case packetSize = 0xFF
    }

    /// Asks the probe about itself; empty when it has no value.
    func info(_ item: Info) throws(ProbeError) -> [UInt8] {
        let answer = try command([0x00, item.rawValue], atLeast: 2)
        let count = Int(answer[1])
        guard answer.count >= 2 + count else { throw short(answer) }
        return Array(answer[2..<2 + count])
    }

    /// A text about the probe; empty when it has none.
    func text(_ item: Info) throws(ProbeError) -> String {
        String(decoding: try info(item).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Asks for the packet size, and holds to it from now on.
    func learnPacketSize() throws(ProbeError) {
        let size = try info(.packetSize)
        guard size.count == 2 else { return }
        let value = Int(size[0]) | Int(size[1]) << 8
        guard value >= 32 else {
            throw ProbeError("the \(link.name) takes packets of \(value) bytes only", kind: .unsupported)
        }
        packetSize = min(value, ProbeFraming.longestPacket)
        link.learn(packetSize: packetSize)
    }

    /// Lights or darkens the probe's own LEDs; a probe without them is fine.
    func hostStatus(type: UInt8, isOn: Bool) throws(ProbeError) {
        _ = try exchange([0x01, type, isOn ? 1 : 0])
    }

    /// Takes the pins for serial wire debug.
    func connect() throws(ProbeError) {
        let answer = try command([0x02, 0x01], atLeast: 2)
        guard answer[1] == 0x01 else {
            throw ProbeError("the \(link.name) cannot speak SWD", kind: .unsupported)
        }
    }

    /// Lets go of the pins.
    func disconnect() throws(ProbeError) { try order([0x03]) }

    /// Sets idle cycles, repeats of a transfer that has to wait, and repeats of a value match.
    func configureTransfers(idle: UInt8, waitRetries: UInt16, matchRetries: UInt16) throws(ProbeError) {
        try order([0x04, idle] + bytes(waitRetries) + bytes(matchRetries))
    }

    /// Drives pins of the probe; gives the level of all pins.
    func pins(output: UInt8, select: UInt8) throws(ProbeError) -> UInt8 {
        try command([0x10, output, select, 0, 0, 0, 0], atLeast: 2)[1]
    }

    /// Sets the clock.
    func clock(hertz: UInt32) throws(ProbeError) { try order([0x11] + hertz.littleEndianBytes) }

    /// Clocks out bits, the lowest of each byte first.
    func sequence(bits: UInt8, _ data: [UInt8]) throws(ProbeError) { try order([0x12, bits] + data) }

    /// Sets turnaround and data phase of serial wire debug.
    func configureWire(_ value: UInt8) throws(ProbeError) { try order([0x13, value]) }

    /// Clears sticky errors by the probe's own command.
    func writeAbort(_ flags: UInt32) throws(ProbeError) { try order([0x08, 0x00] + flags.littleEndianBytes) }

    // MARK: Transfers

    /// The most transfers of a list that pass in one packet.
    func fitting(_ transfers: ArraySlice<DAPTransfer>) -> Int {
        var (request, answer) = (3, 3)
        var count = 0
        for transfer in transfers {
            request += transfer.bytes.count
            answer += transfer.returnsWord ? 4 : 0
            guard request <= packetSize, answer <= packetSize, count < 255 else { break }
            count += 1
        }
        return count
    }

    /// Carries out transfers that fit one packet.
    func transfer(_ transfers: [DAPTransfer]) throws(ProbeError) -> DAPOutcome {
        var request: [UInt8] = [0x05, 0x00, UInt8(truncatingIfNeeded: transfers.count)]
        for transfer in transfers { request += transfer.bytes }
        let answer = try command(request, atLeast: 3)
        let done = Int(answer[1])
        guard done <= transfers.count else { throw short(answer) }
        return try outcome(
            done: done,
            response: answer[2],
            reads: transfers.prefix(done).count { $0.returnsWord },
            in: answer[3...],
            of: answer
        )
    }

    /// Reads a register several times in one packet.
    func transferBlock(reading count: Int, _ transfer: DAPTransfer) throws(ProbeError) -> DAPOutcome {
        let number = UInt16(truncatingIfNeeded: count)
        let answer = try command([0x06, 0x00] + bytes(number) + [transfer.request], atLeast: 4)
        let done = Int(answer[1]) | Int(answer[2]) << 8
        guard done <= count else { throw short(answer) }
        return try outcome(done: done, response: answer[3], reads: done, in: answer[4...], of: answer)
    }

    private func outcome(
        done: Int,
        response: UInt8,
        reads: Int,
        in data: ArraySlice<UInt8>,
        of answer: [UInt8]
    ) throws(ProbeError) -> DAPOutcome {
        guard data.count >= reads * 4 else { throw short(answer) }
        let words = (0..<reads).map { UInt32(littleEndian: data.dropFirst($0 * 4)) }
        return DAPOutcome(done: done, response: response, words: words)
    }

    // MARK: Packets

    /// Sends a command that is answered by a status.
    private func order(_ request: [UInt8]) throws(ProbeError) {
        let answer = try command(request, atLeast: 2)
        guard answer[1] == Self.isDone else {
            throw ProbeError(
                "the \(link.name) did not carry out command \(Self.hex(request[0])): status \(Self.hex(answer[1]))",
                kind: .target
            )
        }
    }

    /// Sends a command; a probe that does not know it cannot be used.
    private func command(_ request: [UInt8], atLeast count: Int) throws(ProbeError) -> [UInt8] {
        guard let answer = try exchange(request) else {
            throw ProbeError(
                "the \(link.name) does not know command \(Self.hex(request[0])) of CMSIS-DAP; update its firmware",
                kind: .unsupported
            )
        }
        guard answer.count >= count else { throw short(answer) }
        return answer
    }

    /// Sends a command; nil when the probe does not know it.
    private func exchange(_ request: [UInt8]) throws(ProbeError) -> [UInt8]? {
        let answer = try link.exchange(request)
        if answer.first == Self.unknown { return nil }
        guard answer.first == request[0] else {
            let first = answer.first.map(Self.hex) ?? "nothing"
            throw ProbeError(
                "the \(link.name) is out of step: it answered \(first) to command \(Self.hex(request[0])); "
                    + "open it again, and see that no other program uses it",
                kind: .outOfStep
            )
        }
        return answer
    }

    private func short(_ answer: [UInt8]) -> ProbeError {
        ProbeError(
            "the \(link.name) gave an answer to command \(Self.hex(answer[0])) that makes no sense "
                + "(\(answer.count) bytes); open it again",
            kind: .outOfStep
        )
    }

    private func bytes(_ value: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
