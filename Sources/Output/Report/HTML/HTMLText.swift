// SPDX-License-Identifier: MIT

import HostSystem

/// HTML text in a byte buffer: what comes from outside is text and nothing else.
struct HTMLText {
    /// The bytes so far.
    private(set) var bytes: [UInt8] = []

    /// Takes the bytes out and starts anew.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends markup of our own as it is.
    mutating func markup(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends what was made by another buffer.
    mutating func append(_ other: [UInt8]) {
        bytes.append(contentsOf: other)
    }

    /// Appends a number.
    mutating func number(_ value: Int) {
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Appends text that stays text.
    ///
    /// Markup is escaped, what cannot be seen is shown as `\u001B`, line feeds stay.
    mutating func text(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<")
                && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
        }
        guard !isPlain else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for byte in VisibleText.escaped(text, keeping: ["\n"]).utf8 {
            switch byte {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: ">"): markup("&gt;")
            case UInt8(ascii: "\""): markup("&quot;")
            case UInt8(ascii: "'"): markup("&#39;")
            default: bytes.append(byte)
            }
        }
    }

    /// Appends ` name="value"`.
    mutating func attribute(_ name: StaticString, _ value: String) {
        markup(" ")
        markup(name)
        markup("=\"")
        text(value)
        markup("\"")
    }

    /// Appends an element that holds text.
    mutating func element(_ tag: StaticString, class name: StaticString? = nil, _ text: String) {
        markup("<")
        markup(tag)
        if let name {
            markup(" class=\"")
            markup(name)
            markup("\"")
        }
        markup(">")
        self.text(text)
        markup("</")
        markup(tag)
        markup(">")
    }

    /// The address of a file near the page; nil for a path that leads elsewhere.
    static func relativeLink(_ prefix: String, _ path: String) -> String? {
        let path = ProblemText.slashed(path)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.isEmpty, !path.hasPrefix("/"), !parts.contains("..") else { return nil }
        let base = prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/"
        var out = ""
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        for byte in (base + path).utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                out.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                out += "%"
                out.unicodeScalars.append(digits[Int(byte >> 4)])
                out.unicodeScalars.append(digits[Int(byte & 15)])
            }
        }
        return out
    }
}
