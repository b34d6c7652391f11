// SPDX-License-Identifier: MIT

import Scenario
import SmartCard

/// Reads one role of a bench file.
struct BenchRoleReader {
    let context: ReadingContext
    /// Reads `programs`.
    let programs: (YAMLNode.Entry) -> [ControlProgram]

    private static let keys = [
        "reader", "protocol", "field", "time-extension", "firmware", "sample", "timing", "limits", "programs",
        "probe",
    ]
    private static let protocols = ["T=0", "T=1", "T=CL", "any"]
    private static let readerKeys = ["serial", "pattern", "usb", "atr"]
    private static let readerExample = "serial: RR554-0231"

    func read(_ entry: YAMLNode.Entry) -> BenchRole? {
        guard isName(entry.key) else {
            context.mistakes.add(
                entry.keyPosition,
                "'\(entry.key)' is no name of a role; it has letters, digits and '-', and starts with a letter"
            )
            return nil
        }
        guard let keys = context.mapping(entry, example: "reader: {\(Self.readerExample)}") else {
            return nil
        }
        var identity: ReaderIdentity?
        var role = BenchRole(name: entry.key, reader: .pattern(""), position: entry.keyPosition)
        for key in keys {
            role.keyPositions[key.key] = key.keyPosition
            switch key.key {
            case "reader": identity = reader(key)
            case "protocol":
                let word = context.choice(key, among: Self.protocols)
                role.protocolName = word == "any" ? nil : word
            case "field":
                role.field = context.choice(key, among: FieldClaim.allCases.map(\.rawValue))
                    .flatMap(FieldClaim.init)
            case "time-extension": role.hasTimeExtension = context.boolean(key)
            case "firmware": role.firmware = firmware(key)
            case "sample": role.sample = sample(key)
            case "timing": role.timing = timing(key)
            case "limits":
                role.limits = context.limits(
                    key,
                    in: "the limits of a role",
                    keys: BenchFileReader.limitKeys
                )
            case "programs": role.programs = programs(key)
            case "probe": role.probe = context.word(key.value, "'probe'")
            default: context.unknownKey(key, in: "a role", known: Self.keys)
            }
        }
        if !keys.contains(where: { $0.key == "reader" }) {
            context.mistakes.add(
                entry.keyPosition,
                "the role '\(entry.key)' needs 'reader'; write reader: {\(Self.readerExample)}"
            )
        }
        guard let identity else { return nil }
        role.reader = identity
        return role
    }

    private func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else {
            return false
        }
        return text.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_")
        }
    }

    // MARK: Reader

    private func reader(_ entry: YAMLNode.Entry) -> ReaderIdentity? {
        guard let keys = context.mapping(entry, example: Self.readerExample) else { return nil }
        for key in keys where !Self.readerKeys.contains(key.key) {
            context.unknownKey(key, in: "'reader'", known: Self.readerKeys)
        }
        let known = keys.filter { Self.readerKeys.contains($0.key) }
        guard let key = known.first else {
            if keys.isEmpty {
                context.mistakes.add(
                    entry.keyPosition,
                    "'reader' is empty; write it like {\(Self.readerExample)}"
                )
            }
            return nil
        }
        if known.count > 1 {
            context.mistakes.add(
                known[1].keyPosition,
                "'reader' names '\(key.key)' and '\(known[1].key)'; one of them tells the reader"
            )
        }
        guard let text = context.word(key.value, "'\(key.key)'") else { return nil }
        switch key.key {
        case "serial": return .serial(text)
        case "pattern": return .pattern(text)
        case "usb":
            guard isUSBPath(text) else {
                context.mistakes.add(
                    key.value.position,
                    "'\(text)' is no USB port; write bus and ports like 1-1.3, as in /sys/bus/usb/devices"
                )
                return nil
            }
            return .usb(text)
        default:
            guard isATRPattern(text) else {
                context.mistakes.add(
                    key.value.position,
                    "'\(text)' is no answer to reset; write hex digits, xx for any byte, * at the end for any rest"
                )
                return nil
            }
            return .atr(text)
        }
    }

    private func isUSBPath(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, isNumber(parts[0]) else { return false }
        return parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isNumber)
    }

    private func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private func isATRPattern(_ text: String) -> Bool {
        var digits = text.filter { !" :-".contains($0) }
        if digits.last == "*" { digits.removeLast() }
        return !digits.isEmpty && digits.count.isMultiple(of: 2)
            && digits.allSatisfy { $0.isHexDigit || $0 == "x" || $0 == "X" }
    }

    // MARK: Firmware, sample, timing

    private func firmware(_ entry: YAMLNode.Entry) -> FirmwareCheck? {
        guard let keys = context.mapping(entry, example: "command: 80CA0000, expect: 0804...") else {
            return nil
        }
        var check = FirmwareCheck(commands: [], expected: BytePattern([]))
        for key in keys {
            switch key.key {
            case "version": check.version = context.word(key.value, "'version'")
            case "command": check.commands = commands(key)
            case "expect":
                guard let text = context.word(key.value, "'expect'"),
                    let pattern = context.parsed(text, at: key.value, by: BytePattern.parse)
                else { continue }
                check.expected = pattern
            default: context.unknownKey(key, in: "'firmware'", known: ["version", "command", "expect"])
            }
        }
        for need in ["command", "expect"] where !keys.contains(where: { $0.key == need }) {
            let reason = "a firmware is verified by what the device answers, not believed"
            context.mistakes.add(entry.keyPosition, "'firmware' needs '\(need)'; \(reason)")
        }
        return check.commands.isEmpty ? nil : check
    }

    private func sample(_ entry: YAMLNode.Entry) -> SampleSource? {
        if let text = entry.value.text {
            if text == "uid" { return .uid }
            context.mistakes.add(
                entry.value.position,
                "'sample' is uid, or a command such as {command: [00A40400..., 80CA...]}, not '\(text)'"
            )
            return nil
        }
        guard let keys = context.mapping(entry, example: "command: 80CA9F7F00") else { return nil }
        var found: [[UInt8]] = []
        for key in keys {
            guard key.key == "command" else {
                context.unknownKey(key, in: "'sample'", known: ["command"])
                continue
            }
            found = commands(key)
        }
        if !keys.contains(where: { $0.key == "command" }) {
            context.mistakes.add(entry.keyPosition, "'sample' needs 'command'")
        }
        return found.isEmpty ? nil : .commands(found)
    }

    /// Command APDUs in hex, one or a list.
    private func commands(_ entry: YAMLNode.Entry) -> [[UInt8]] {
        context.words(entry).compactMap { text, node in
            let bytes: [UInt8]
            do throws(HexError) {
                bytes = try HexText.bytes(text)
            } catch {
                context.mistakes.add(node.textPosition(max(0, error.column - 1)), error.description)
                return nil
            }
            do {
                _ = try CommandAPDU(bytes: bytes)
            } catch {
                context.mistakes.add(node.position, "'\(text)' is no command APDU: \(error)")
                return nil
            }
            return bytes
        }
    }

    private func timing(_ entry: YAMLNode.Entry) -> TimingCalibration? {
        guard let keys = context.mapping(entry, example: "overhead: 850us, band: 10%") else { return nil }
        var overhead: Duration?
        var band: TimingCalibration.Band?
        for key in keys {
            switch key.key {
            case "overhead": overhead = isPlainNumber(key, example: "us") ? nil : context.duration(key)
            case "band": band = self.band(key)
            default: context.unknownKey(key, in: "'timing'", known: ["overhead", "band"])
            }
        }
        if !keys.contains(where: { $0.key == "overhead" }) {
            context.mistakes.add(entry.keyPosition, "'timing' needs 'overhead', for example 850us")
        }
        return overhead.map { TimingCalibration(overhead: $0, band: band) }
    }

    /// True after a number without its unit was told, with the unit that is the usual one there.
    private func isPlainNumber(_ entry: YAMLNode.Entry, example: String) -> Bool {
        guard let text = entry.value.text, Int(text) != nil else { return false }
        let others = example == "%" ? "\(text)us" : "\(text)ms"
        context.mistakes.add(
            entry.value.position,
            "'\(text)' has no unit; write \(text)\(example) or \(others)"
        )
        return true
    }

    private func band(_ entry: YAMLNode.Entry) -> TimingCalibration.Band? {
        guard let text = entry.value.text, text.hasSuffix("%") else {
            guard !isPlainNumber(entry, example: "%") else { return nil }
            return context.duration(entry).map { .absolute($0) }
        }
        return context.parsed(entry) { text throws(TextError) in
            .percent(try NumberText.parse(String(text.dropLast()), in: 0...100))
        }
    }
}
