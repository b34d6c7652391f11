// SPDX-License-Identifier: MIT

/// A format of another tool.
public enum ScriptFormat: String, Hashable, Sendable, CaseIterable {
    /// scriptor and gscriptor of pcsc-tools.
    case scriptor
    /// apdutool of the Java Card kit, `.scr`.
    case apdutool
    /// A terminal with opensc-tool `-s`.
    case openscTool = "opensc-tool"
    /// The debug log of GlobalPlatformPro, `gp -d`.
    case globalPlatformPro = "gp"
    /// Pairs of lines of apdu4j.
    case apdu4j
    /// A script of GPShell.
    case gpShell = "gpshell"

    /// The format that a file's suffix names; nil for any other name.
    public static func ofSuffix(_ name: String) -> ScriptFormat? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "scriptor": return .scriptor
        case "scr": return .apdutool
        case "dump": return .apdu4j
        case "gpshell": return .gpShell
        default: return nil
        }
    }

    /// How much of a source is looked at for words that tell its format.
    private static let headSize = 8192

    /// Tells the format by the suffix of the name, else by words that only one of them has.
    ///
    /// - Parameters:
    ///   - bytes: The source.
    ///   - name: Its name.
    /// - Returns: The format; nil for plain commands, one a line, and for everything else.
    public static func detect(_ bytes: [UInt8], name: String) -> ScriptFormat? {
        guard let text = String(validating: bytes.prefix(headSize), as: UTF8.self) else {
            return ofSuffix(name)
        }
        return detect(SourceLines(text, name: name), name: name)
    }

    /// Tells the format by the suffix of the name, else by words that only one of them has.
    static func detect(_ lines: SourceLines, name: String) -> ScriptFormat? {
        if let format = ofSuffix(name) { return format }
        for line in lines.all {
            let text = line.text
            // Plain commands are the most frequent input and have none of the words below.
            if let first = text.first, first.isHexDigit, !text.hasPrefix("0x"), !text.hasSuffix("\\"),
                first != "A"
            {
                continue
            }
            if text.hasPrefix("A>> ") || text.hasPrefix("SCardConnect(") { return .globalPlatformPro }
            if text.hasPrefix("Sending: ") || text.contains("opensc-tool ") { return .openscTool }
            if text.hasPrefix("powerup;") || text.hasPrefix("0x") && text.hasSuffix(";") { return .apdutool }
            if text.hasPrefix("establish_context") || text.hasPrefix("send_apdu") { return .gpShell }
            if text.hasPrefix("# ATR:") || text.hasPrefix("# PROTOCOL:") { return .apdu4j }
            if text == "reset" || text.hasSuffix("\\") { return .scriptor }
        }
        return nil
    }

    func read(_ lines: SourceLines) throws(ForeignScriptError) -> ForeignScript {
        switch self {
        case .scriptor: try ScriptorReader.read(lines)
        case .apdutool: try APDUToolReader.read(lines)
        case .openscTool: try OpenSCReader.read(lines)
        case .globalPlatformPro: try GlobalPlatformProReader.read(lines)
        case .apdu4j: try APDU4JReader.read(lines)
        case .gpShell: try GPShellReader.read(lines)
        }
    }
}
