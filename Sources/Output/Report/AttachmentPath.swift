// SPDX-License-Identifier: MIT

/// Paths of attached files, relative to the workspace.
enum AttachmentPath {
    /// A file of the run folder as a path that every reader takes; nil when there is none.
    ///
    /// Readers look for the closing brackets and for a bar greedily, and refuse absolute paths.
    static func joined(_ folder: String?, _ file: String) -> String? {
        guard let folder, !file.isEmpty else { return nil }
        var base = ProblemText.slashed(folder)[...]
        while base.hasPrefix("./") { base = base.dropFirst(2) }
        while base.hasSuffix("/"), base.count > 1 { base = base.dropLast() }
        let file = ProblemText.slashed(file)
        let path = base.isEmpty || base == "." ? file : "\(base)/\(file)"
        guard !path.hasPrefix("/"), !file.hasPrefix("/"), isSafe(path) else { return nil }
        return path
    }

    /// False when the path has a bar, a control character or two closing brackets in a row.
    private static func isSafe(_ path: String) -> Bool {
        var previous: UInt8 = 0
        for byte in path.utf8 {
            let isBracketPair = byte == UInt8(ascii: "]") && previous == byte
            if byte < 0x20 || byte == UInt8(ascii: "|") || isBracketPair { return false }
            previous = byte
        }
        return true
    }
}
