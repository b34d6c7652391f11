// SPDX-License-Identifier: MIT

import Synchronization

/// A regular expression that is compiled once and compared by its text.
struct Expression: Hashable, Sendable {
    /// `Regex` is not `Sendable`, as it may hold closures; the lock lets one thread at it at a time.
    private final class Compiled: Sendable {
        let regex: Mutex<Regex<AnyRegexOutput>>

        init(_ regex: sending Regex<AnyRegexOutput>) {
            self.regex = Mutex(regex)
        }
    }

    /// The expression as it was written.
    let text: String
    private let compiled: Compiled

    /// Compiles an expression; upper and lower case are the same to it.
    init(_ text: String) throws(TextError) {
        // The compiler of expressions is recursive: a limit keeps nesting off its stack.
        guard text.utf8.count <= Self.longest else {
            throw TextError(
                "a regular expression may have \(Self.longest) characters; this one has \(text.count)"
            )
        }
        self.text = text
        do {
            compiled = Compiled(try Regex(text).ignoresCase())
        } catch {
            throw TextError("'\(text)' is no regular expression: \(error)")
        }
    }

    /// True when the whole of a text matches.
    func matches(_ text: String) -> Bool {
        compiled.regex.withLock { regex in
            (try? regex.wholeMatch(in: text)) != nil
        }
    }

    private static let longest = 1000

    static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}
