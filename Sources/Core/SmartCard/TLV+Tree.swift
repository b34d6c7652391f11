// SPDX-License-Identifier: MIT

extension TLV {
    /// This object and those inside it, one a line, for people.
    ///
    /// - Parameter names: Words to show beside tags.
    /// - Returns: Lines, without a line end after the last.
    public func tree(names: [TLVTag: String] = [:]) -> String { Self.tree([self], names: names) }

    /// Objects, one a line: indent, tag, length, name, value; a value that is plain text is shown as such too.
    ///
    /// - Parameters:
    ///   - objects: The objects in their order.
    ///   - names: Words to show beside tags.
    /// - Returns: Lines, without a line end after the last.
    public static func tree(_ objects: [TLV], names: [TLVTag: String] = [:]) -> String {
        var lines: [String] = []
        for object in objects { object.addLines(to: &lines, depth: 0, names: names) }
        return lines.joined(separator: "\n")
    }

    private func addLines(to lines: inout [String], depth: Int, names: [TLVTag: String]) {
        var line = String(repeating: "  ", count: depth) + "\(tag) \(value.count)"
        if let name = names[tag] { line += " (\(name))" }
        if children == nil, !value.isEmpty {
            line += ": \(value.hex)"
            if value.count > 2, value.allSatisfy({ (0x20...0x7E).contains($0) }) {
                line += " \"\(String(decoding: value, as: UTF8.self))\""
            }
        }
        lines.append(line)
        for child in children ?? [] { child.addLines(to: &lines, depth: depth + 1, names: names) }
    }
}
