// SPDX-License-Identifier: MIT

extension TransportFault {
    /// No answer before the deadline.
    static func noAnswer(in deadline: Duration) -> TransportFault {
        TransportFault(.timeout, "no answer in \(deadline.millisecondsText)")
    }

    /// A call on a connection that was given up after a timeout.
    static let lostAfterTimeout = TransportFault(
        .transport,
        "the connection is lost since an exchange got no answer",
        hint: "connect again; a late answer could be taken for the answer to the next command"
    )

    /// The card is not in the reader any more.
    static let cardLeft = TransportFault(
        .cardRemoved,
        "the card left the reader",
        hint: "put it back and connect again"
    )

    /// Another program reset the card.
    static let resetByOther = TransportFault(
        .cardReset,
        "card was reset by somebody else",
        hint: "connect again and repeat the set-up"
    )

    /// The field is off, so there is no card.
    static let fieldIsOff = TransportFault(
        .noCard,
        "no card: the field is off",
        hint: "switch the field on first"
    )

    /// The connection was closed by its owner.
    static let closed = TransportFault(.transport, "the connection is closed", hint: "open a new one")

    /// An answer without a whole status word.
    static func responseTooShort(_ count: Int) -> TransportFault {
        TransportFault(
            .transport,
            "response too short (\(count) bytes)",
            hint: "the card left or the link broke in the middle of the answer"
        )
    }

    /// A command that does not pass the reader.
    static func commandTooLong(needs: Int, accepts: Int, hint: String) -> TransportFault {
        TransportFault(.limit, "command needs \(needs) bytes, reader accepts \(accepts)", hint: hint)
    }

    /// An answer that does not pass the reader.
    static func answerTooLong(needs: Int, passes: Int) -> TransportFault {
        TransportFault(
            .limit,
            "answer has \(needs) bytes, reader passes \(passes)",
            hint: "ask for less with a smaller Le, or use a reader that passes longer answers"
        )
    }

    /// A field that cannot be switched.
    static func fieldIsFixed(reader: String) -> TransportFault {
        TransportFault(
            .control,
            "reader \"\(reader)\" cannot switch its field",
            hint: "use a reader with the capability \(Capability.fieldControl.rawValue)"
        )
    }

    /// The reader gave up an exchange that the step would still have waited for.
    ///
    /// - Parameters:
    ///   - elapsed: How long the reader waited.
    ///   - allowed: How long the step would have waited.
    ///   - code: The code of the layer below.
    /// - Returns: A `transport` fault that names both times.
    public static func readerTimeout(
        after elapsed: Duration,
        allowed: Duration,
        code: UInt32? = nil
    ) -> TransportFault {
        TransportFault(
            .transport,
            "reader timeout after \(elapsed.tenthsOfSecondText), step allows \(allowed.shortText)",
            hint: "the card may still be working; use a reader that grants waiting time extensions",
            code: code
        )
    }
}
