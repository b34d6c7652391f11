// SPDX-License-Identifier: MIT

import CPCRE2

/// A regular expression that is compiled once and compared by its text.
///
/// PCRE2 counts its tries and gives up, where an expression with a repetition inside a repetition would go on for ever.
struct Expression: Hashable, Sendable {
    // A compiled expression is only read while it is matched, so that threads may share it (pcre2api, "Multithreading").
    private final class Compiled: @unchecked Sendable {
        let code: OpaquePointer

        init(_ code: OpaquePointer) { self.code = code }

        deinit { pcre2_code_free_8(code) }
    }

    /// The expression as it was written.
    let text: String
    private let compiled: Compiled

    /// Compiles an expression; upper and lower case are the same to it.
    ///
    /// - Throws: ``TextError`` with the column where the expression goes wrong.
    init(_ text: String) throws(TextError) {
        guard text.utf8.count <= Self.longest else {
            throw TextError(
                "a regular expression may have \(Self.longest) characters; this one has \(text.count)"
            )
        }
        var problem: CInt = 0
        var offset = 0
        let options = PCRE2_UTF | PCRE2_UCP | PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C
        let code = Array(text.utf8).withUnsafeBufferPointer { letters in
            pcre2_compile_8(letters.baseAddress, letters.count, options, &problem, &offset, nil)
        }
        guard let code else {
            throw TextError(
                "'\(text)' is no regular expression: \(Self.message(problem))",
                column: String(decoding: text.utf8.prefix(offset), as: UTF8.self).count
            )
        }
        self.text = text
        compiled = Compiled(code)
    }

    /// True when the whole of a text matches.
    ///
    /// - Throws: ``TextError`` when that cannot be told within some millions of tries.
    func matches(_ text: String) throws(TextError) -> Bool {
        guard let context = pcre2_match_context_create_8(nil), let found = pcre2_match_data_create_8(1, nil)
        else {
            throw TextError("there is no memory for the regular expression 're:\(self.text)'")
        }
        defer {
            pcre2_match_context_free_8(context)
            pcre2_match_data_free_8(found)
        }
        pcre2_set_match_limit_8(context, Self.mostTries)
        pcre2_set_heap_limit_8(context, Self.mostMemory)
        var text = text
        let options = PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NO_UTF_CHECK
        let result = text.withUTF8 { letters in
            pcre2_match_8(compiled.code, letters.baseAddress, letters.count, 0, options, found, context)
        }
        switch result {
        case 0...: return true
        case PCRE2_ERROR_NOMATCH: return false
        case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_DEPTHLIMIT:
            throw TextError(
                "'re:\(self.text)' takes too many tries on \(text.count) characters; "
                    + "write it without a repetition inside a repetition"
            )
        default: throw TextError("'re:\(self.text)' cannot be matched: \(Self.message(result))")
        }
    }

    private static func message(_ problem: CInt) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let count = pcre2_get_error_message_8(problem, buffer.baseAddress, buffer.count)
            return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
        }
    }

    private static let longest = 1000
    /// About a second of a slow machine.
    private static let mostTries: UInt32 = 5_000_000
    /// In KiB.
    private static let mostMemory: UInt32 = 65_536

    static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}
