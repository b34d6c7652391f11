// SPDX-License-Identifier: MIT

public import CardConnection
import Glibc

/// Why a PC/SC call failed.
public struct PCSCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call, for example `SCardTransmit`.
    public let call: String
    /// The low 32 bits of the result, for example `0x8010001D`.
    public let code: UInt32
    /// The reader that was meant; nil where there is none.
    public let reader: String?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - call: The call, for example `SCardTransmit`.
    ///   - code: The low 32 bits of the result.
    ///   - reader: The reader that was meant.
    public init(call: String, code: UInt32, reader: String? = nil) {
        self.call = call
        self.code = code
        self.reader = reader
    }

    /// The code's name in the header files.
    public var name: String { PCSCErrorEntry.of(code)?.name ?? "unknown PC/SC error" }

    /// The kind of trouble.
    public var kind: FaultKind { PCSCErrorEntry.of(code)?.kind ?? .transport }

    /// What it means, in plain words.
    public var says: String {
        PCSCErrorEntry.of(code)?.says ?? "PC/SC failed with a code that no header names"
    }

    /// What to do about it; empty when there is nothing to say.
    public var hint: String { PCSCErrorEntry.of(code)?.hint ?? "see reader log" }

    /// The code as people look it up, for example `0x8010001D`.
    public var codeText: String {
        let digits = String(code, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// What happened, where, and what to do.
    public var description: String { fault.description }

    /// The fault that the rig books for it.
    public var fault: TransportFault {
        let place = reader.map { ", reader '\($0)'" } ?? ""
        return TransportFault(kind, "\(says)\(place) (\(call): \(name), \(codeText))", hint: hint, code: code)
    }

    /// The fault, with the service's socket looked at where the library cannot tell why it has no service.
    ///
    /// The library answers "no service" also when the socket is there and this user may not open it.
    func faultOnHost(socketPath: String = "/run/pcscd/pcscd.comm") -> TransportFault {
        guard code == 0x8010_001D, access(socketPath, F_OK) == 0, access(socketPath, R_OK | W_OK) != 0,
            errno == EACCES
        else { return fault }
        return TransportFault(
            .permission,
            "this user may not open pcscd's socket \(socketPath) (\(call): \(name), \(codeText))",
            hint: "run as a member of the group that owns the socket",
            code: code
        )
    }
}
