// SPDX-License-Identifier: MIT

import CardConnection

/// What the rig knows of a PC/SC result code.
struct PCSCErrorEntry: Sendable {
    /// The low 32 bits of the result.
    let code: UInt32
    /// The name in the header files.
    let name: String
    /// The kind of trouble.
    let kind: FaultKind
    /// What it means here, in plain words; some names mislead.
    let says: String
    /// What to do; empty when there is nothing to say.
    let hint: String

    init(_ code: UInt32, _ name: String, _ kind: FaultKind, _ says: String, _ hint: String = "") {
        self.code = code
        self.name = name
        self.kind = kind
        self.says = says
        self.hint = hint
    }

    /// The entry of a code; nil for codes that no header names.
    static func of(_ code: UInt32) -> PCSCErrorEntry? { byCode[code] }

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    private static let restart = "restart pcscd, then run again"
    private static let ownMistake = "this is a mistake in the rig or in the reader driver; keep the trace"

    /// All codes of pcsc-lite.
    ///
    /// Source: pcsclite.h of pcsc-lite 1.9.9; meanings observed with vpcd and libccid.
    static let all: [PCSCErrorEntry] = [
        PCSCErrorEntry(
            0x8010_0001,
            "SCARD_F_INTERNAL_ERROR",
            .service,
            "pcscd failed inside",
            restart
        ),
        PCSCErrorEntry(
            0x8010_0002,
            "SCARD_E_CANCELLED",
            .transport,
            "the wait was cancelled"
        ),
        PCSCErrorEntry(
            0x8010_0003,
            "SCARD_E_INVALID_HANDLE",
            .service,
            "pcscd does not know this connection",
            "it was restarted, or the connection is closed; connect anew"
        ),
        PCSCErrorEntry(
            0x8010_0004,
            "SCARD_E_INVALID_PARAMETER",
            .transport,
            "pcscd refused a parameter",
            ownMistake
        ),
        PCSCErrorEntry(
            0x8010_0005,
            "SCARD_E_INVALID_TARGET",
            .service,
            "pcscd's set-up is incomplete",
            restart
        ),
        PCSCErrorEntry(
            0x8010_0006,
            "SCARD_E_NO_MEMORY",
            .service,
            "pcscd has no memory or no free connection left",
            "close other PC/SC programs; pcscd takes 200 connections for a reader"
        ),
        PCSCErrorEntry(
            0x8010_0007,
            "SCARD_F_WAITED_TOO_LONG",
            .service,
            "pcscd waited too long for itself",
            restart
        ),
        PCSCErrorEntry(
            0x8010_0008,
            "SCARD_E_INSUFFICIENT_BUFFER",
            .limit,
            "command or answer is too long for PC/SC",
            "at most 65544 bytes pass; the answer, if there was one, is lost"
        ),
        PCSCErrorEntry(
            0x8010_0009,
            "SCARD_E_UNKNOWN_READER",
            .noReader,
            "reader name is unknown",
            "list readers; the name changes on replug"
        ),
        PCSCErrorEntry(
            0x8010_000A,
            "SCARD_E_TIMEOUT",
            .timeout,
            "nothing happened in the time given"
        ),
        PCSCErrorEntry(
            0x8010_000B,
            "SCARD_E_SHARING_VIOLATION",
            .busy,
            "the reader is held by another program",
            "end the program that uses the reader exclusively, or wait for it"
        ),
        PCSCErrorEntry(
            0x8010_000C,
            "SCARD_E_NO_SMARTCARD",
            .noCard,
            "no card in the reader",
            "present the card; waits up to the card timeout, which --wait DURATION sets"
        ),
        PCSCErrorEntry(
            0x8010_000D,
            "SCARD_E_UNKNOWN_CARD",
            .transport,
            "pcscd does not know this card"
        ),
        PCSCErrorEntry(
            0x8010_000E,
            "SCARD_E_CANT_DISPOSE",
            .transport,
            "the reader could not leave the card as asked",
            "take the card out and present it again"
        ),
        PCSCErrorEntry(
            0x8010_000F,
            "SCARD_E_PROTO_MISMATCH",
            .protocol,
            "reader and card share no protocol",
            "connect with the other of T=0 and T=1; the answer to reset says what the card offers"
        ),
        PCSCErrorEntry(
            0x8010_0010,
            "SCARD_E_NOT_READY",
            .transport,
            "the reader is not ready",
            "unplug the reader and plug it in again"
        ),
        PCSCErrorEntry(
            0x8010_0011,
            "SCARD_E_INVALID_VALUE",
            .transport,
            "pcscd refused a value",
            ownMistake
        ),
        PCSCErrorEntry(
            0x8010_0012,
            "SCARD_E_SYSTEM_CANCELLED",
            .service,
            "the system cancelled the call",
            "is the host shutting down?"
        ),
        PCSCErrorEntry(
            0x8010_0013,
            "SCARD_F_COMM_ERROR",
            .service,
            "pcscd went away during the call",
            "see its log; start pcscd or its socket"
        ),
        PCSCErrorEntry(
            0x8010_0014,
            "SCARD_F_UNKNOWN_ERROR",
            .transport,
            "the reader driver failed in an unknown way",
            "see reader log"
        ),
        PCSCErrorEntry(
            0x8010_0015,
            "SCARD_E_INVALID_ATR",
            .protocol,
            "the card's answer to reset is malformed",
            "present the card again; contactless: position"
        ),
        PCSCErrorEntry(
            0x8010_0016,
            "SCARD_E_NOT_TRANSACTED",
            .transport,
            "exchange failed (card or reader)",
            "contactless: position; contact: reseat; see reader log"
        ),
        PCSCErrorEntry(
            0x8010_0017,
            "SCARD_E_READER_UNAVAILABLE",
            .readerRemoved,
            "the reader was unplugged",
            "plug the reader in again and list readers; the name may change"
        ),
        PCSCErrorEntry(
            0x8010_0018,
            "SCARD_P_SHUTDOWN",
            .service,
            "pcscd is shutting down",
            restart
        ),
        PCSCErrorEntry(
            0x8010_0019,
            "SCARD_E_PCI_TOO_SMALL",
            .transport,
            "pcscd refused the protocol header",
            ownMistake
        ),
        PCSCErrorEntry(
            0x8010_001A,
            "SCARD_E_READER_UNSUPPORTED",
            .noReader,
            "the reader is not supported",
            "install the maker's driver"
        ),
        PCSCErrorEntry(
            0x8010_001B,
            "SCARD_E_DUPLICATE_READER",
            .noReader,
            "two readers have the same name",
            "unplug one of them, then restart pcscd"
        ),
        PCSCErrorEntry(
            0x8010_001C,
            "SCARD_E_CARD_UNSUPPORTED",
            .protocol,
            "the reader does not support this card"
        ),
        PCSCErrorEntry(
            0x8010_001D,
            "SCARD_E_NO_SERVICE",
            .service,
            "pcscd is not running",
            "start pcscd or its socket; in a container mount /run/pcscd"
        ),
        PCSCErrorEntry(
            0x8010_001E,
            "SCARD_E_SERVICE_STOPPED",
            .service,
            "pcscd has stopped",
            "start pcscd or its socket"
        ),
        PCSCErrorEntry(
            0x8010_001F,
            "SCARD_E_UNSUPPORTED_FEATURE",
            .control,
            "the reader driver does not do this",
            "take a reader whose driver does"
        ),
        PCSCErrorEntry(
            0x8010_0020,
            "SCARD_E_ICC_INSTALLATION",
            .transport,
            "pcscd finds no provider for this card"
        ),
        PCSCErrorEntry(
            0x8010_0021,
            "SCARD_E_ICC_CREATEORDER",
            .transport,
            "pcscd cannot create objects in this order"
        ),
        PCSCErrorEntry(
            0x8010_0022,
            "SCARD_E_UNSUPPORTED_FEATURE",
            .control,
            "the card does not do this"
        ),
        PCSCErrorEntry(0x8010_0023, "SCARD_E_DIR_NOT_FOUND", .transport, "the card has no such folder"),
        PCSCErrorEntry(0x8010_0024, "SCARD_E_FILE_NOT_FOUND", .transport, "the card has no such file"),
        PCSCErrorEntry(0x8010_0025, "SCARD_E_NO_DIR", .transport, "the path names no folder of the card"),
        PCSCErrorEntry(0x8010_0026, "SCARD_E_NO_FILE", .transport, "the path names no file of the card"),
        PCSCErrorEntry(
            0x8010_0027,
            "SCARD_E_NO_ACCESS",
            .permission,
            "access to the card is denied",
            "run as a user whom pcscd's policy admits"
        ),
        PCSCErrorEntry(0x8010_0028, "SCARD_E_WRITE_TOO_MANY", .transport, "the card's memory is full"),
        PCSCErrorEntry(
            0x8010_0029,
            "SCARD_E_BAD_SEEK",
            .transport,
            "the offset lies outside the card's file"
        ),
        PCSCErrorEntry(0x8010_002A, "SCARD_E_INVALID_CHV", .transport, "the PIN is wrong"),
        PCSCErrorEntry(
            0x8010_002B,
            "SCARD_E_UNKNOWN_RES_MNG",
            .service,
            "pcscd reported an error without a name",
            restart
        ),
        PCSCErrorEntry(
            0x8010_002C,
            "SCARD_E_NO_SUCH_CERTIFICATE",
            .transport,
            "there is no such certificate"
        ),
        PCSCErrorEntry(
            0x8010_002D,
            "SCARD_E_CERTIFICATE_UNAVAILABLE",
            .transport,
            "the certificate is unavailable"
        ),
        PCSCErrorEntry(
            0x8010_002E,
            "SCARD_E_NO_READERS_AVAILABLE",
            .noReader,
            "no reader is plugged in",
            "check lsusb and the udev/driver"
        ),
        PCSCErrorEntry(
            0x8010_002F,
            "SCARD_E_COMM_DATA_LOST",
            .transport,
            "bytes between reader and card were lost",
            "contactless: position; contact: reseat"
        ),
        PCSCErrorEntry(0x8010_0030, "SCARD_E_NO_KEY_CONTAINER", .transport, "there is no such key container"),
        PCSCErrorEntry(
            0x8010_0031,
            "SCARD_E_SERVER_TOO_BUSY",
            .service,
            "pcscd is too busy",
            "close other PC/SC programs"
        ),
        PCSCErrorEntry(
            0x8010_0065,
            "SCARD_W_UNSUPPORTED_CARD",
            .protocol,
            "the reader cannot talk to a card with this answer to reset",
            "take another reader"
        ),
        PCSCErrorEntry(
            0x8010_0066,
            "SCARD_W_UNRESPONSIVE_CARD",
            .cardMute,
            "the card does not answer to a reset",
            "contact: which way up is the card? contactless: position"
        ),
        PCSCErrorEntry(
            0x8010_0067,
            "SCARD_W_UNPOWERED_CARD",
            .cardMute,
            "the card has no power",
            "another program switched it off; connect anew"
        ),
        PCSCErrorEntry(
            0x8010_0068,
            "SCARD_W_RESET_CARD",
            .cardReset,
            "card was reset by another program",
            "connect anew and select the application again"
        ),
        PCSCErrorEntry(0x8010_0069, "SCARD_W_REMOVED_CARD", .cardRemoved, "card was removed"),
        PCSCErrorEntry(
            0x8010_006A,
            "SCARD_W_SECURITY_VIOLATION",
            .permission,
            "this user may not use the reader",
            "pcscd's policy (polkit) refuses it; allow org.debian.pcsc-lite.access_pcsc and access_card for this user"
        ),
        PCSCErrorEntry(0x8010_006B, "SCARD_W_WRONG_CHV", .transport, "the PIN is wrong"),
        PCSCErrorEntry(0x8010_006C, "SCARD_W_CHV_BLOCKED", .transport, "the PIN is blocked"),
        PCSCErrorEntry(0x8010_006D, "SCARD_W_EOF", .transport, "the end of the card's file is reached"),
        PCSCErrorEntry(0x8010_006E, "SCARD_W_CANCELLED_BY_USER", .transport, "the user cancelled"),
        PCSCErrorEntry(
            0x8010_006F,
            "SCARD_W_CARD_NOT_AUTHENTICATED",
            .transport,
            "no PIN was given to the card"
        ),
    ]
}
