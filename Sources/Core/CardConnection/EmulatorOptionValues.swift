// SPDX-License-Identifier: MIT

import SmartCard

/// The options given to an emulator, checked against the list that it publishes.
///
/// Every option has a value afterwards: the given one or the default. A value of the wrong kind was refused when
/// this was made, so the accessors cannot fail; asking for an option that is not in the list gives the zero value.
public struct EmulatorOptionValues: Sendable {
    private var texts: [String: String] = [:]

    /// Checks what was given.
    ///
    /// - Parameters:
    ///   - given: Names and texts, as a suite's `options` or `--option` hold them.
    ///   - options: The options that the emulator knows.
    /// - Throws: ``EmulatorOptionError`` for a name that is not in the list or a text of the wrong kind.
    public init(_ given: [String: String], of options: [EmulatorOption]) throws(EmulatorOptionError) {
        for option in options { texts[option.name] = option.defaultText }
        for (name, text) in given.sorted(by: { $0.key < $1.key }) {
            guard let option = options.first(where: { $0.name == name }) else {
                let known = options.map(\.name).sorted().joined(separator: ", ")
                throw EmulatorOptionError("unknown option '\(name)'; this emulator knows \(known)")
            }
            if let wanted = option.complaint(about: text) {
                throw EmulatorOptionError("option '\(name)' is '\(text)', but takes \(wanted)")
            }
            texts[name] = text
        }
    }

    /// The text of an option.
    public func text(_ name: String) -> String { texts[name] ?? "" }

    /// The value of a number option.
    public func number(_ name: String) -> Int { Int(text(name)) ?? 0 }

    /// The value of a duration option.
    public func duration(_ name: String) -> Duration { Self.duration(text(name)) ?? .zero }

    /// The bytes of a hex option.
    public func bytes(_ name: String) -> [UInt8] {
        do { return try HexText.bytes(text(name)) } catch { return [] }
    }

    /// The bytes of a hex option that is an answer to reset.
    ///
    /// - Throws: ``EmulatorOptionError`` for bytes in which no reader would see a card.
    public func answerToReset(_ name: String) throws(EmulatorOptionError) -> [UInt8] {
        do throws(ATRError) {
            return try ATR(bytes(name)).bytes
        } catch {
            throw EmulatorOptionError(
                "option '\(name)' is '\(text(name))', which is no answer to reset: \(error)"
            )
        }
    }

    /// Reads a duration such as `200ms`, `1.5s`, `40us` or `2m`.
    ///
    /// - Parameter text: A decimal number and a unit: `ns`, `us`, `ms`, `s`, `m`; at most a year.
    /// - Returns: nil when the text is no such duration.
    public static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let value = Double(digits), let unit = unitsInSeconds[String(text.dropFirst(digits.count))]
        else {
            return nil
        }
        let seconds = value * unit
        guard seconds <= 366 * 86_400 else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    private static let unitsInSeconds: [String: Double] = [
        "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60,
    ]
}
