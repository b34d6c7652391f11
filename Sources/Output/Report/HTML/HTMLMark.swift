// SPDX-License-Identifier: MIT

import RunRecord

/// How an outcome looks: a word, a picture, and a colour that neither of them needs.
enum HTMLMark {
    case passed
    case flaky
    case failed
    case error
    case skipped

    init(_ verdict: Verdict, isFlaky: Bool = false) {
        switch verdict {
        case .passed: self = isFlaky ? .flaky : .passed
        case .failed: self = .failed
        case .error: self = .error
        case .skipped: self = .skipped
        }
    }

    /// The word.
    var word: StaticString {
        switch self {
        case .passed: "passed"
        case .flaky: "flaky"
        case .failed: "failed"
        case .error: "error"
        case .skipped: "skipped"
        }
    }

    /// Class of the style sheet, and name of the picture.
    var name: StaticString {
        switch self {
        case .passed: "p"
        case .flaky: "y"
        case .failed: "f"
        case .error: "e"
        case .skipped: "s"
        }
    }

    /// True when somebody has to look at it.
    var isTrouble: Bool { self == .failed || self == .error }

    /// Writes the picture; with its word for those who hear the page, where none stands beside it.
    func writePicture(to html: inout HTMLText, isAlone: Bool) {
        html.markup("<svg class=\"i ")
        html.markup(name)
        html.markup("\" width=\"16\" height=\"16\"")
        if isAlone {
            html.markup(" role=\"img\" aria-label=\"")
            html.markup(word)
            html.markup("\"")
        } else {
            html.markup(" aria-hidden=\"true\"")
        }
        html.markup("><use href=\"#i-")
        html.markup(name)
        html.markup("\"/></svg>")
    }

    /// The pictures, once a page: a tick, a tick in a loop, a cross, a triangle, a ring.
    static let sprites: StaticString = """
        <svg width="0" height="0" aria-hidden="true"><defs>
        <symbol id="i-p" viewBox="0 0 16 16"><path d="M2.5 8.5l3.5 4 7.5-9" class="k"/></symbol>
        <symbol id="i-y" viewBox="0 0 16 16"><path d="M3 8a5 5 0 1 1 2 4M5 15v-3h3" class="k"/></symbol>
        <symbol id="i-f" viewBox="0 0 16 16"><path d="M3.5 3.5l9 9m0-9l-9 9" class="k"/></symbol>
        <symbol id="i-e" viewBox="0 0 16 16"><path d="M8 2l6.5 12h-13zM8 6.5v3.5m0 1.5v1" class="k"/></symbol>
        <symbol id="i-s" viewBox="0 0 16 16"><path d="M3 8h10" class="k"/></symbol>
        </defs></svg>

        """
}
