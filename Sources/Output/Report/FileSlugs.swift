// SPDX-License-Identifier: MIT

/// Names of files made of names of suites: letters, digits, dot, underline and minus, each name once.
struct FileSlugs {
    private static let lengthLimit = 100

    private var used: Set<String> = []

    /// A name that no suite had before.
    mutating func unique(_ name: String) -> String {
        let slug = Self.slug(name)
        if used.insert(slug.lowercased()).inserted { return slug }
        var number = 2
        while !used.insert("\(slug).\(number)".lowercased()).inserted { number += 1 }
        return "\(slug).\(number)"
    }

    /// A name without what file systems or shells take for something else.
    private static func slug(_ name: String) -> String {
        var out = ""
        for scalar in name.unicodeScalars.prefix(lengthLimit) {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": out.unicodeScalars.append(scalar)
            case ".", "-": if !out.isEmpty { out.unicodeScalars.append(scalar) }
            default: if !out.isEmpty, !out.hasSuffix("-") { out += "-" }
            }
        }
        while let last = out.last, last == "." || last == "-" { out.removeLast() }
        return out.isEmpty ? "suite" : out
    }
}
