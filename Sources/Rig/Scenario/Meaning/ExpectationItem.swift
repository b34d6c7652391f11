// SPDX-License-Identifier: MIT

internal import SmartCard

/// One key of an expectation.
struct ExpectationItem: Hashable, Sendable {
    /// What is looked at.
    enum Subject: Hashable, Sendable {
        case status
        case data
        case length
        case ascii
        /// Objects at a path; with `isAny` one of them must hold, else the first.
        case tlv(TLVPath, text: String, isAny: Bool)
        case ndef
        case time
        case total
        case exchanges
        case wire([Expectation])
        indirect case every(Expectation)
        indirect case not(Expectation)
        case field(String)
    }

    /// What is looked at.
    let subject: Subject
    /// What must hold of it; `present` where the subject says it all.
    let check: ValueCheck
    /// What a mismatch is booked as.
    let kind: Mismatch.Kind
    /// Where the key stands.
    let position: SourcePosition

    /// True when it takes the place of the default status 9000.
    var replacesDefaultStatus: Bool {
        switch subject {
        case .status, .wire: true
        case .not(let inner), .every(let inner): inner.asksForStatus
        default: false
        }
    }
}

extension Expectation {
    /// True when `sw` is among its keys.
    var asksForStatus: Bool { items.contains { $0.subject == .status } }
}

/// What must hold of a value.
enum ValueCheck: Hashable, Sendable {
    case status(StatusPattern)
    case bytes(BytePattern)
    case count(CountRange)
    case time(TimeBound)
    case text(String)
    case contains(String)
    case expression(Expression)
    case boolean(Bool)
    /// Bytes seen as text.
    indirect case ascii(ValueCheck)
    /// A value that takes the type of what it is compared with.
    case value(Value)
    indirect case bound(Bound)
    /// A text that is read once its variables are known.
    indirect case template([TextPiece], form: CheckForm, at: TextPlace)
    case anyOf([ValueCheck])
    case allOf([ValueCheck])
    indirect case not(ValueCheck)
    indirect case length(ValueCheck)
    case elements([ValueCheck])
    /// One element of a list.
    indirect case some(ValueCheck)
    case entries([Entry])
    case present
    case absent

    /// A key of a mapping.
    struct Entry: Hashable, Sendable {
        let key: String
        let check: ValueCheck
    }
}

/// How a text is read as a check.
enum CheckForm: Hashable, Sendable {
    case status
    case count
    case time
    case value(ArgumentType)
    /// Part of a text, or a pattern of bytes: what `match` takes.
    case match(ArgumentType)
}
