// SPDX-License-Identifier: MIT

import RunRecord

/// A problem as lines of text.
enum ProblemText {
    /// The sentence of a problem, never empty.
    static func message(_ problem: Problem?) -> String {
        let text = problem?.message ?? ""
        return text.allSatisfy(\.isWhitespace) ? "no reason given" : text
    }

    /// The sentence, the place, the explanation and the hint.
    static func lines(_ problem: Problem?, message: String) -> [String] {
        var out = [message]
        guard let problem else { return out }
        if !problem.file.isEmpty { out.append("at \(OutputLine.folded(place(problem)))") }
        out += problem.details
        if !problem.hint.isEmpty { out.append("hint: \(problem.hint)") }
        return out
    }

    /// File and line with forward slashes.
    static func place(_ problem: Problem) -> String {
        problem.line > 0 ? "\(slashed(problem.file)):\(problem.line)" : slashed(problem.file)
    }

    /// A path with forward slashes.
    static func slashed(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: "\\")) else { return path }
        return String(
            decoding: path.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 },
            as: UTF8.self
        )
    }
}
