// SPDX-License-Identifier: MIT

import CPCSC

/// How a card is left when a connection to it ends or starts anew.
enum CardDisposition {
    case leave
    case reset
    case unpower

    var raw: DWORD {
        switch self {
        case .leave: DWORD(SCARD_LEAVE_CARD)
        case .reset: DWORD(SCARD_RESET_CARD)
        case .unpower: DWORD(SCARD_UNPOWER_CARD)
        }
    }
}

/// How a reader is shared with other programs.
enum ShareMode {
    case shared
    case exclusive
    /// Without a card, to talk to the reader itself.
    case direct

    var raw: DWORD {
        switch self {
        case .shared: DWORD(SCARD_SHARE_SHARED)
        case .exclusive: DWORD(SCARD_SHARE_EXCLUSIVE)
        case .direct: DWORD(SCARD_SHARE_DIRECT)
        }
    }
}

/// A connection to a reader inside a context: the only owner of its handle.
final class CardHandle {
    /// Room for the longest answer that the service passes: `MAX_BUFFER_SIZE_EXTENDED`, a macro that is not imported.
    static let answerCapacity = 4 + 3 + (1 << 16) + 3 + 2
    /// Attributes: the service refuses a larger buffer.
    private static let attributeCapacity = Int(MAX_BUFFER_SIZE)

    private let reader: String
    private let share: ShareMode
    private var handle: SCARDHANDLE = 0
    private var isOpen = false
    private let header: UnsafeMutablePointer<SCARD_IO_REQUEST>
    /// Outlives the handle: the service needs the one for the other.
    private let context: PCSCContext
    /// The protocol in use.
    private(set) var protocols: CardProtocols = []

    /// Connects to a reader.
    init(_ context: PCSCContext, reader: String, share: ShareMode, protocols: CardProtocols) throws(PCSCError)
    {
        self.context = context
        self.reader = reader
        self.share = share
        header = .allocate(capacity: 1)
        header.initialize(to: SCARD_IO_REQUEST())
        var active: DWORD = 0
        let result = SCardConnect(context.handle, reader, share.raw, protocols.rawValue, &handle, &active)
        try PCSCResult.check("SCardConnect", result, reader: reader)
        isOpen = true
        use(active)
    }

    deinit {
        disconnect(.leave)
        header.deallocate()
    }

    private func use(_ active: DWORD) {
        protocols = CardProtocols(rawValue: active)
        header.pointee = SCARD_IO_REQUEST(
            dwProtocol: active,
            cbPciLength: DWORD(MemoryLayout<SCARD_IO_REQUEST>.size)
        )
    }

    /// Sends a command.
    ///
    /// - Parameters:
    ///   - command: The whole command, at least one byte.
    ///   - answer: Room for ``answerCapacity`` bytes.
    ///   - code: The result's low 32 bits, 0 on success.
    /// - Returns: The length of the answer.
    @inline(__always)
    func transmit(_ command: [UInt8], into answer: UnsafeMutablePointer<UInt8>, code: inout UInt32) -> Int {
        var count = DWORD(Self.answerCapacity)
        let result = SCardTransmit(handle, header, command, DWORD(command.count), nil, answer, &count)
        code = PCSCResult.code(result)
        // After an error of the service the length is what went in.
        return code == 0 ? Int(count) : 0
    }

    /// Sends a command and copies the answer.
    func transmit(_ command: [UInt8]) throws(PCSCError) -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: Self.answerCapacity)
        var code: UInt32 = 0
        let count = transmit(command, into: &answer, code: &code)
        guard code == 0 else { throw PCSCError(call: "SCardTransmit", code: code, reader: reader) }
        return Array(answer.prefix(count))
    }

    /// Connects anew, the card left or reset.
    func reconnect(_ disposition: CardDisposition, protocols: CardProtocols) throws(PCSCError) {
        var active: DWORD = 0
        let result = SCardReconnect(handle, share.raw, protocols.rawValue, disposition.raw, &active)
        try PCSCResult.check("SCardReconnect", result, reader: reader)
        use(active)
    }

    /// The answer to reset.
    func atr() throws(PCSCError) -> [UInt8] {
        var nameCount: DWORD = 0
        var state: DWORD = 0
        var active: DWORD = 0
        var atr = [UInt8](repeating: 0, count: Int(MAX_ATR_SIZE))
        var count = DWORD(atr.count)
        let result = SCardStatus(handle, nil, &nameCount, &state, &active, &atr, &count)
        try PCSCResult.check("SCardStatus", result, reader: reader)
        return Array(atr.prefix(Int(count)))
    }

    /// Keeps other programs from the card; waits for as long as one of them does the same.
    func beginTransaction() throws(PCSCError) {
        try PCSCResult.check("SCardBeginTransaction", SCardBeginTransaction(handle), reader: reader)
    }

    /// Lets other programs at the card again; does nothing where none were kept away.
    func endTransaction() {
        SCardEndTransaction(handle, CardDisposition.leave.raw)
    }

    /// Talks to the reader driver.
    func control(_ code: UInt32, _ data: [UInt8] = []) throws(PCSCError) -> [UInt8] {
        var answer = [UInt8](repeating: 0, count: Self.attributeCapacity)
        var count: DWORD = 0
        let result = SCardControl(
            handle,
            DWORD(code),
            data,
            DWORD(data.count),
            &answer,
            DWORD(answer.count),
            &count
        )
        try PCSCResult.check("SCardControl", result, reader: reader)
        return Array(answer.prefix(Int(count)))
    }

    /// Reads an attribute of the reader.
    func attribute(_ tag: UInt32) throws(PCSCError) -> [UInt8] {
        var value = [UInt8](repeating: 0, count: Self.attributeCapacity)
        var count = DWORD(value.count)
        try PCSCResult.check(
            "SCardGetAttrib",
            SCardGetAttrib(handle, DWORD(tag), &value, &count),
            reader: reader
        )
        return Array(value.prefix(Int(count)))
    }

    /// Ends the connection; a second time does nothing.
    func disconnect(_ disposition: CardDisposition) {
        guard isOpen else { return }
        isOpen = false
        SCardDisconnect(handle, disposition.raw)
    }
}
