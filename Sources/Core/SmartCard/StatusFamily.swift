// SPDX-License-Identifier: MIT

/// What kind of result a status word tells.
///
/// Source: ISO/IEC 7816-4:2013 §5.6, table 5.
public enum StatusFamily: String, Hashable, Sendable, CaseIterable {
    /// `9000` and `61xx`: the command was done.
    case normal
    /// `62xx` and `63xx`: done, with something to note.
    case warning
    /// `64xx` to `66xx`: begun, and failed.
    case executionError
    /// `67xx` to `6Fxx`: refused before it was begun.
    case checkingError
    /// All other values, which ISO/IEC 7816-4 leaves to the maker of the card or forbids.
    case proprietary
}
