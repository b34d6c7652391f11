// SPDX-License-Identifier: MIT

import RunRecord

/// What did not hold, on a page.
enum HTMLProblemText {
    private static let detailLimit = 200

    /// Writes a problem: type, sentence, place, what was expected and received, hint.
    ///
    /// - Parameters:
    ///   - problem: The problem.
    ///   - heading: A word before the sentence, for example `teardown`; empty writes none.
    ///   - limit: The most bytes of explanation.
    ///   - html: Takes the text.
    static func write(_ problem: Problem, heading: String = "", limit: Int, to html: inout HTMLText) {
        html.markup("<div class=\"pr\"><p class=\"mg\">")
        if !heading.isEmpty { html.text("\(heading): ") }
        html.text(LimitedText.shortened(ProblemText.message(problem), limit: max(limit / 3, 400)))
        html.markup("</p>")
        if !problem.type.isEmpty || !problem.file.isEmpty {
            html.markup("<p class=\"wh\">")
            if !problem.type.isEmpty {
                html.element("span", class: "ty", LimitedText.shortened(problem.type, limit: 100))
            }
            if !problem.file.isEmpty {
                html.text(problem.type.isEmpty ? "at " : " at ")
                html.element("code", LimitedText.shortened(ProblemText.place(problem), limit: 300))
            }
            html.markup("</p>")
        }
        writeDetails(problem.details, limit: limit, to: &html)
        if !problem.hint.isEmpty {
            html.markup("<p class=\"hi\"><b>Hint:</b> ")
            html.text(LimitedText.shortened(problem.hint, limit: 1000))
            html.markup("</p>")
        }
        html.markup("</div>\n")
    }

    private static func writeDetails(_ details: [String], limit: Int, to html: inout HTMLText) {
        guard !details.isEmpty else { return }
        html.markup("<div class=\"dt\">")
        var room = limit
        for (index, line) in details.enumerated() {
            guard room > 0, index < detailLimit else {
                html.element("p", class: "gp", "… \(details.count - index) lines more in run.json …")
                break
            }
            let text = LimitedText.shortened(line, limit: max(room, 200))
            room -= text.utf8.count
            let (word, rest) = labelled(text)
            if !word.isEmpty { html.element("b", word) }
            html.element(word.isEmpty ? "pre" : "code", rest)
        }
        html.markup("</div>")
    }

    /// `expected  SW 9000` as its label and what follows.
    private static func labelled(_ line: String) -> (word: String, rest: String) {
        for word in ["expected", "received"] where line.hasPrefix("\(word)  ") {
            return (word, String(line.dropFirst(word.count).drop { $0 == " " }))
        }
        return ("", line)
    }
}
