// SPDX-License-Identifier: MIT

import CPCSC
import Glibc

/// A context of the PC/SC service: the only owner of its handle.
///
/// A context is locked for the time of each call, so each connection has its own, used by one thread.
public final class PCSCContext {
    let handle: SCARDCONTEXT

    /// Asks the service for a context.
    public init() throws(PCSCError) {
        var handle: SCARDCONTEXT = 0
        try PCSCResult.check(
            "SCardEstablishContext",
            SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &handle)
        )
        self.handle = handle
    }

    deinit {
        // When the service has gone this fails, and there is nothing left to release.
        SCardReleaseContext(handle)
    }

    /// The names of all readers, in the service's order; empty when there is none.
    public func readerNames() throws(PCSCError) -> [String] {
        // The list may grow between asking for its size and asking for it.
        while true {
            var size: DWORD = 0
            let result = SCardListReaders(handle, nil, nil, &size)
            if PCSCResult.code(result) == PCSCResult.noReaders { return [] }
            try PCSCResult.check("SCardListReaders", result)
            var text = [CChar](repeating: 0, count: Int(size))
            let second = SCardListReaders(handle, nil, &text, &size)
            if PCSCResult.code(second) == PCSCResult.bufferTooSmall { continue }
            if PCSCResult.code(second) == PCSCResult.noReaders { return [] }
            try PCSCResult.check("SCardListReaders", second)
            return text.prefix(Int(size)).split(separator: 0).map { name in
                String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
    }

    /// Waits until a reader is in another state than the one given, and tells all states.
    ///
    /// - Parameters:
    ///   - statuses: The readers, each with the state last seen.
    ///   - timeout: How long to wait at most; zero looks only.
    /// - Returns: The states now; those given when the time was over.
    /// - Throws: What the service said, but for the end of the time.
    func statuses(after statuses: [ReaderStatus], timeout: Duration) throws(PCSCError) -> [ReaderStatus] {
        var entries: [SCARD_READERSTATE] = []
        var names: [UnsafeMutablePointer<CChar>] = []
        defer { for name in names { free(name) } }
        for status in statuses {
            var entry = SCARD_READERSTATE()
            if let name = strdup(status.name) {
                names.append(name)
                entry.szReader = UnsafePointer(name)
            }
            entry.dwCurrentState = status.flags & ~DWORD(SCARD_STATE_CHANGED)
            entries.append(entry)
        }
        let (seconds, attoseconds) = max(timeout, .zero).components
        // The largest value means "for ever" to the service: stay below it.
        let milliseconds = min(seconds, 2_000_000) * 1000 + attoseconds / 1_000_000_000_000_000
        let result = SCardGetStatusChange(handle, DWORD(milliseconds), &entries, DWORD(entries.count))
        if PCSCResult.code(result) == PCSCResult.timeout { return statuses }
        try PCSCResult.check(
            "SCardGetStatusChange",
            result,
            reader: statuses.count == 1 ? statuses[0].name : nil
        )
        return zip(statuses, entries).map { status, entry in
            let atr = withUnsafeBytes(of: entry.rgbAtr) { Array($0.prefix(Int(entry.cbAtr))) }
            return ReaderStatus(name: status.name, flags: entry.dwEventState, atr: atr)
        }
    }

    /// The states of readers as they are now.
    func statuses(of names: [String]) throws(PCSCError) -> [ReaderStatus] {
        guard !names.isEmpty else { return [] }
        return try statuses(after: names.map { ReaderStatus(name: $0) }, timeout: .zero)
    }
}

/// A reader's state as the service counts it.
struct ReaderStatus {
    let name: String
    /// `dwEventState`: flags below, in the high word a counter of arrivals and departures.
    var flags: DWORD = 0
    var atr: [UInt8] = []

    /// Under this name the service tells of readers that come and go.
    static let plugAndPlay = "\\\\?PnP?\\Notification"

    var isPresent: Bool { flags & DWORD(SCARD_STATE_PRESENT) != 0 }
    var isMute: Bool { flags & DWORD(SCARD_STATE_MUTE) != 0 }
    var isInUse: Bool { flags & DWORD(SCARD_STATE_INUSE | SCARD_STATE_EXCLUSIVE) != 0 }
    var isUnknown: Bool { flags & DWORD(SCARD_STATE_UNKNOWN) != 0 }
    var isEmpty: Bool { flags & DWORD(SCARD_STATE_EMPTY) != 0 }
}

/// Results of PC/SC calls.
enum PCSCResult {
    static let timeout: UInt32 = 0x8010_000A
    static let bufferTooSmall: UInt32 = 0x8010_0008
    static let noReaders: UInt32 = 0x8010_002E

    /// The low 32 bits of a result: the type is wider on this platform.
    static func code(_ result: LONG) -> UInt32 { UInt32(truncatingIfNeeded: result) }

    /// Throws unless the call went well.
    static func check(_ call: String, _ result: LONG, reader: String? = nil) throws(PCSCError) {
        guard code(result) != 0 else { return }
        throw PCSCError(call: call, code: code(result), reader: reader)
    }
}
