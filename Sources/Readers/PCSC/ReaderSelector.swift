// SPDX-License-Identifier: MIT

public import CardConnection
import SmartCard

/// Which reader is meant.
///
/// - `PATTERN`: the exact name; with `*` or `?` a pattern of the whole name; else a part of the name;
/// - `serial=...`, `usb=1-1.3`: the exact serial number, the exact place;
/// - `atr=...`: the card in it, hex digits with `xx` for any byte, and `*` at the end for any rest.
///
/// Upper and lower case are the same. A leading `pcsc:` is allowed.
public struct ReaderSelector: Hashable, Sendable, CustomStringConvertible {
    private enum Rule: Hashable {
        case pattern(String)
        case serial(String)
        case usbPath(String)
        case atr(ATRPattern)
    }

    private let rule: Rule
    /// The selector as it was written.
    public let description: String

    /// Reads a selector.
    ///
    /// - Throws: ``ReaderSelectorError`` when it cannot fit any reader.
    public init(_ text: String) throws(ReaderSelectorError) {
        let body = text.hasPrefix("pcsc:") ? String(text.dropFirst(5)) : text
        description = text
        if let value = Self.value(of: "serial", in: body) {
            guard !value.isEmpty else {
                throw ReaderSelectorError("'\(text)' names no serial number; write serial=NUMBER")
            }
            rule = .serial(value.lowercased())
        } else if let value = Self.value(of: "usb", in: body) {
            guard !value.isEmpty else {
                throw ReaderSelectorError("'\(text)' names no USB path; write usb=1-1.3")
            }
            rule = .usbPath(value.lowercased())
        } else if let value = Self.value(of: "atr", in: body) {
            guard let pattern = ATRPattern(value) else {
                throw ReaderSelectorError(
                    "'\(text)' is no answer to reset; write hex digits, xx for any byte, * at the end for any rest"
                )
            }
            rule = .atr(pattern)
        } else {
            rule = .pattern(body.lowercased())
        }
    }

    /// Makes the selector of one reader by its exact name.
    public init(exactName: String) {
        rule = .pattern(exactName.lowercased())
        description = exactName
    }

    private static func value(of key: String, in text: String) -> String? {
        guard text.lowercased().hasPrefix(key + "=") else { return nil }
        return String(text.dropFirst(key.count + 1))
    }

    /// True when the driver must be asked for serial number and place.
    var needsDetails: Bool {
        switch rule {
        case .serial, .usbPath: true
        case .pattern, .atr: false
        }
    }

    /// True when only a reader with a card in it can fit.
    var needsCard: Bool {
        if case .atr = rule { true } else { false }
    }

    /// The one reader that fits.
    ///
    /// - Throws: ``ReaderSelectionError`` when none fits, or more than one: the first is never taken by chance.
    public func choose(from readers: [ReaderInfo]) throws(ReaderSelectionError) -> ReaderInfo {
        let fitting = candidates(in: readers)
        guard let only = fitting.first else {
            throw .noMatch(selector: description, known: readers.map(\.name.text), wantsCard: needsCard)
        }
        guard fitting.count == 1 else {
            throw .ambiguous(selector: description, candidates: fitting.map(\.name.text))
        }
        return only
    }

    /// All readers that fit.
    public func candidates(in readers: [ReaderInfo]) -> [ReaderInfo] {
        switch rule {
        case .serial(let serial):
            return readers.filter { $0.serial.lowercased() == serial }
        case .usbPath(let path):
            return readers.filter { $0.usbPath?.lowercased() == path }
        case .atr(let pattern):
            return readers.filter { pattern.fits($0.atr) }
        case .pattern(let pattern):
            // An exact name wins, also where it is a part of another name or holds a star.
            let exact = readers.filter { $0.name.text.lowercased() == pattern }
            if !exact.isEmpty { return exact }
            guard pattern.contains(where: { $0 == "*" || $0 == "?" }) else {
                return readers.filter { pattern.isEmpty || $0.name.text.lowercased().contains(pattern) }
            }
            let glob = Array(pattern)
            return readers.filter { Self.fits(glob, Array($0.name.text.lowercased())) }
        }
    }

    /// Whether a pattern with `*` and `?` fits a whole text.
    private static func fits(_ pattern: [Character], _ text: [Character]) -> Bool {
        var at = 0
        var position = 0
        // Where the latest star stands, and how much of the text it has eaten so far.
        var star: (after: Int, eaten: Int)?
        while position < text.count {
            if at < pattern.count, pattern[at] == "*" {
                at += 1
                star = (at, position)
            } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[position] {
                at += 1
                position += 1
            } else if let (after, eaten) = star {
                at = after
                position = eaten + 1
                star = (after, eaten + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == "*" }
    }
}

/// An answer to reset with bytes left open.
struct ATRPattern: Hashable {
    /// The bytes; nil fits any.
    private let bytes: [UInt8?]
    private let isPrefix: Bool

    init?(_ text: String) {
        let digits = text.filter { !" :-".contains($0) }
        isPrefix = digits.last == "*"
        let body = Array(isPrefix ? String(digits.dropLast()) : digits)
        guard body.count.isMultiple(of: 2), !body.isEmpty else { return nil }
        var bytes: [UInt8?] = []
        for index in stride(from: 0, to: body.count, by: 2) {
            let pair = String(body[index...(index + 1)])
            if pair.lowercased() == "xx" {
                bytes.append(nil)
            } else if pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        self.bytes = bytes
    }

    func fits(_ atr: [UInt8]) -> Bool {
        guard isPrefix ? atr.count >= bytes.count : atr.count == bytes.count else { return false }
        return zip(bytes, atr).allSatisfy { wanted, byte in wanted == nil || wanted == byte }
    }
}

/// Why a reader selector cannot be read.
public struct ReaderSelectorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what would be right.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Why a selector does not lead to one reader.
public enum ReaderSelectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No reader fits; when only a card was asked for, no reader holds it.
    case noMatch(selector: String, known: [String], wantsCard: Bool)
    /// More than one reader fits.
    case ambiguous(selector: String, candidates: [String])

    /// What happened and what to do.
    public var description: String { fault.description }

    /// The fault that the rig books for it.
    public var fault: TransportFault {
        switch self {
        case .noMatch(_, let known, _) where known.isEmpty:
            return PCSCError(call: "SCardListReaders", code: PCSCResult.noReaders).fault
        case .noMatch(let selector, let known, let wantsCard):
            let names = known.map { "'\($0)'" }.joined(separator: ", ")
            return TransportFault(
                wantsCard ? .noCard : .noReader,
                wantsCard ? "no reader holds a card that fits '\(selector)'" : "no reader fits '\(selector)'",
                hint: "known readers: \(names)"
            )
        case .ambiguous(let selector, let candidates):
            let names = candidates.map { "'\($0)'" }.joined(separator: ", ")
            return TransportFault(
                .noReader,
                "\(candidates.count) readers fit '\(selector)'",
                hint: "name one of them, or its serial or USB path: \(names)"
            )
        }
    }
}
