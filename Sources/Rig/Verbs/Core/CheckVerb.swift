// SPDX-License-Identifier: MIT

import Scenario
import SmartCard

/// `check`: compares values that earlier steps captured, and proves them by cryptography.
let checkVerb = Verb(
    VerbSpec(
        "check",
        "Compares captured values, or proves a signature, code, hash or certificate; nothing is sent.",
        discussion: """
            `equals` wants all values alike, `differs` no two alike, `increases` each larger than the one before.
            A literal beside a variable takes the variable's type; in `increases` a decimal number without leading zeros
            stays a number beside bytes. Ed25519 and BIP340 sign `hash` as it is; ECDSA
            hashes `message` first. Signatures are DER or raw (r and s), told apart by their length unless `form` says.
            """,
        arguments: CheckForms.arguments,
        exchanges: false
    )
) { call in
    let forms = CheckForms.comparisons + CheckForms.proofs
    let list = forms.joined(separator: ", ")
    for name in forms {
        guard let argument = call.argument(name) else { continue }
        call.assertions += 1
        if let complaint = try complaint(name, argument, call: call) {
            throw VerbStop.mismatchOf(call, complaint)
        }
    }
    if case .map(let inner)? = call.argument("not") {
        for name in inner.keys.sorted() {
            guard let argument = inner[name] else { continue }
            guard forms.contains(name) else {
                throw call.wrong("not", "'\(name)' is no check; it takes \(list)")
            }
            call.assertions += 1
            if try complaint(name, argument, call: call) == nil {
                throw VerbStop.mismatchOf(call, "'\(name)' holds, and must not: \(describe(argument))")
            }
        }
    }
    guard call.assertions > 0 else { throw call.wrong("check", "it needs one of \(list), not") }
}

/// What is wrong, or nil when the form holds.
private func complaint(_ name: String, _ argument: Value, call: VerbCall) throws(VerbStop) -> String? {
    if CheckForms.comparisons.contains(name) { return try complaint(name, list(argument), call: call) }
    guard case .map(let values) = argument else { throw call.wrong(name, "it takes a mapping") }
    return try Proof(name: name, values: values, call: call).complaint()
}

extension VerbStop {
    fileprivate static func mismatchOf(_ call: VerbCall, _ message: String) -> VerbStop {
        .mismatch(
            Mismatch(
                .checkFailed,
                message,
                expected: "the check to hold",
                received: message,
                at: call.step.position
            )
        )
    }
}

private func list(_ value: Value) -> [Value] {
    guard case .list(let values) = value else { return [value] }
    return values
}

/// What is wrong, or nil when the check holds.
private func complaint(_ name: String, _ raw: [Value], call: VerbCall) throws(VerbStop) -> String? {
    guard raw.count >= 2 else { throw call.wrong(name, "it compares at least two values") }
    let values = try alignTypes(raw, name: name, call: call)
    switch name {
    case "equals":
        if let odd = values.first(where: { $0 != values[0] }) {
            return "\(describe(odd)) is not equal to \(describe(values[0]))"
        }
    case "differs":
        for (index, value) in values.enumerated() where values[..<index].contains(value) {
            return "\(describe(value)) stands twice"
        }
    default:
        for (earlier, later) in zip(values, values.dropFirst()) {
            guard isTime(earlier) == isTime(later), let low = magnitude(earlier),
                let high = magnitude(later)
            else {
                throw call.wrong(
                    name,
                    "\(describe(earlier)) and \(describe(later)) are neither two numbers nor two times"
                )
            }
            if !isLess(low, high) { return "\(describe(later)) is not larger than \(describe(earlier))" }
        }
    }
    return nil
}

/// Literals arrive as text; beside a typed value they take its type.
private func alignTypes(_ values: [Value], name: String, call: VerbCall) throws(VerbStop) -> [Value] {
    let typed = values.first {
        if case .text = $0 { return false }
        return true
    }
    guard let typed else { return name == "increases" ? measured(values) : values }
    var out: [Value] = []
    for value in values {
        switch (typed, value) {
        case (.bytes, .text(let text)) where name == "increases" && decimal(text) != nil:
            out.append(decimal(text).map(Value.number) ?? value)
        case (.bytes, .text(let text)):
            do { out.append(.bytes(try HexText.bytes(text))) } catch {
                throw call.wrong(name, "'\(text)': \(error)")
            }
        case (.bytes, .statusWord(let sw)): out.append(.bytes([sw.sw1, sw.sw2]))
        case (.statusWord, .text(let text)):
            guard let bytes = try? HexText.bytes(text), bytes.count == 2 else {
                throw call.wrong(name, "'\(text)' is no status word")
            }
            out.append(.statusWord(StatusWord(sw1: bytes[0], sw2: bytes[1])))
        case (.number, .text(let text)):
            guard let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text) else {
                throw call.wrong(name, "'\(text)' is no number")
            }
            out.append(.number(number))
        case (.duration, .text(let text)):
            do throws(TextError) { out.append(.duration(try DurationText.parse(text))) } catch {
                throw call.wrong(name, "'\(text)' is no time: \(error)")
            }
        case (.number, .bytes(let bytes)) where bytes.count < 8:
            out.append(.number(bytes.reduce(0) { $0 << 8 | Int($1) }))
        default: out.append(value)
        }
    }
    return out
}

/// Texts that are all decimal numbers, times or hex as such; others as they are.
private func measured(_ texts: [Value]) -> [Value] {
    let numbers = texts.compactMap { decimal($0.text).map(Value.number) }
    if numbers.count == texts.count { return numbers }
    let times = texts.compactMap { (try? DurationText.parse($0.text)).map(Value.duration) }
    if times.count == texts.count { return times }
    let bytes = texts.compactMap { (try? HexText.bytes($0.text)).map(Value.bytes) }
    return bytes.count == texts.count ? bytes : texts
}

/// The number that a text without a leading zero is; nil for another text, which may be bytes.
private func decimal(_ text: String) -> Int? {
    guard text == "0" || text.first != "0", text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
    }
    return Int(text)
}

private func isTime(_ value: Value) -> Bool {
    if case .duration = value { return true }
    return false
}

/// The big-endian bytes of a number, or of a time in nanoseconds, without leading zeros; nil for what is neither.
private func magnitude(_ value: Value) -> [UInt8]? {
    switch value {
    case .number(let number) where number >= 0:
        return withUnsafeBytes(of: number.bigEndian) { Array($0.drop { $0 == 0 }) }
    case .bytes(let bytes): return Array(bytes.drop { $0 == 0 })
    case .duration(let duration) where duration >= .zero:
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLong ? nil : magnitude(.number(whole + Int(attoseconds / 1_000_000_000)))
    default: return nil
    }
}

private func isLess(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
}

private func describe(_ value: Value) -> String {
    switch value {
    case .bytes(let bytes): bytes.isEmpty ? "(no bytes)" : bytes.hex
    case .number(let number): String(number)
    case .text(let text): "'\(text)'"
    case .boolean(let value): value ? "yes" : "no"
    case .duration(let duration): DurationText.text(duration, digits: 9)
    case .statusWord(let sw): "SW \(sw)"
    case .list(let values): "[\(values.map(describe).joined(separator: ", "))]"
    case .map: "a mapping"
    }
}
