// SPDX-License-Identifier: MIT

import SmartCard

extension Need.Kind {
    /// Reads a word of `needs`: a capability, or a bound on the firmware's version such as `firmware>=4.0`.
    ///
    /// Nil when the word is neither.
    ///
    /// - Parameters:
    ///   - text: The word.
    ///   - capabilities: The capabilities that there are.
    /// - Throws: ``TextError`` when it begins as a bound and is none.
    public init?(_ text: String, capabilities: [String]) throws(TextError) {
        if text.hasPrefix("firmware"), text != "firmware" {
            let rest = text.dropFirst("firmware".count)
            if let first = rest.first(where: { $0 != " " }), "<>=!".contains(first) {
                self = try Self.bound(String(rest), text: text)
                return
            }
        }
        guard capabilities.contains(text) else { return nil }
        self = .capability(text)
    }

    private static func bound(_ rest: String, text: String) throws(TextError) -> Need.Kind {
        let body = rest.trimmed
        let sign = String(body.prefix { "<>=!".contains($0) })
        let version = String(body.dropFirst(sign.count)).trimmed
        guard [">=", "<=", "==", "!=", ">", "<"].contains(sign) else {
            throw TextError("'\(sign)' in '\(text)' compares nothing; use >=, <=, ==, !=, > or <")
        }
        guard let first = version.utf8.first, first.isDigit,
            version.utf8.allSatisfy({ $0.isDigit || $0.isLetter || $0 == 0x2E || $0 == 0x2D })
        else {
            throw TextError("'\(version)' in '\(text)' is no version; write it like firmware>=4.0")
        }
        return .firmware(comparison: sign, version: version)
    }

    /// Reads `role NAME`: what a step with `on: NAME` needs; nil when the text is something else.
    public init?(role text: String) {
        guard text.hasPrefix("role ") else { return nil }
        let name = String(text.dropFirst("role ".count)).trimmed
        guard TextTemplate.isName(name) else { return nil }
        self = .role(name)
    }
}
