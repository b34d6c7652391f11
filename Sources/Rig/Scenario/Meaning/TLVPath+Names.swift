// SPDX-License-Identifier: MIT

internal import SmartCard
import Wording

extension TLVPath {
    /// Makes a path of tags in hex and names of a dictionary; names come first.
    ///
    /// - Throws: ``TextError`` at the step that is neither.
    init(_ steps: [ResultPath.TagStep], dictionary: DeviceDictionary?) throws(TextError) {
        var parts: [String] = []
        for step in steps {
            let hex = dictionary?.tags[step.tag] ?? step.tag
            guard let tag = TLVTag(hex: hex) else { throw Self.unknownTag(step, dictionary) }
            parts.append("\(tag)" + (step.index.map { "(\($0))" } ?? ""))
        }
        do {
            try self.init(parts.joined(separator: "."))
        } catch {
            throw TextError(error.description)
        }
    }

    private static func unknownTag(_ step: ResultPath.TagStep, _ dictionary: DeviceDictionary?) -> TextError {
        let names = (dictionary?.tags.keys).map { $0.sorted() } ?? []
        if step.tag.utf8.allSatisfy({ $0.hexDigit != nil }) {
            return TextError("'\(step.tag)' is not one BER-TLV tag", column: step.column)
        }
        let target = dictionary.map { "a tag of \($0.target)" } ?? "a known tag"
        return TextError(
            "'\(step.tag)' is neither a tag in hex nor \(target)",
            column: step.column,
            hint: Suggestion.nearest(to: step.tag, among: names)
        )
    }
}
