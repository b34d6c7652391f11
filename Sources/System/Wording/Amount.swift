// SPDX-License-Identifier: MIT

/// Numbers of things in sentences: `1 byte stands`, `2 bytes stand`.
public enum Amount {
    /// A number with its noun.
    ///
    /// - Parameters:
    ///   - count: The number.
    ///   - noun: The noun for one; more of them end with `s`, or with `ies` for a `y` behind a consonant.
    /// - Returns: `1 byte`, `3 tries`.
    public static func text(_ count: Int, _ noun: String) -> String {
        "\(count) \(count == 1 ? noun : plural(of: noun))"
    }

    /// A number with its noun and a verb.
    ///
    /// - Parameters:
    ///   - count: The number.
    ///   - noun: The noun for one.
    ///   - verb: The verb for more than one: `stand`, `are`, `have`.
    /// - Returns: `1 byte stands`, `3 bytes stand`.
    public static func text(_ count: Int, _ noun: String, _ verb: String) -> String {
        "\(text(count, noun)) \(count == 1 ? singular(of: verb) : verb)"
    }

    private static func plural(of noun: String) -> String {
        guard noun.hasSuffix("y"), let before = noun.dropLast().last, !"aeiou".contains(before) else {
            return noun + "s"
        }
        return noun.dropLast() + "ies"
    }

    private static func singular(of verb: String) -> String {
        switch verb {
        case "are": "is"
        case "were": "was"
        case "have": "has"
        case "do": "does"
        case "came", "followed", "fitted": verb
        default: verb + "s"
        }
    }
}
