// SPDX-License-Identifier: MIT

internal import Cryptography
internal import SmartCard
import Wording

/// Judges what a `check` says before anything is known of the card: what no value of a variable could make right.
struct CheckRules {
    let context: ReadingContext

    /// Notes what is wrong with the forms of a `check`.
    func judge(_ forms: [YAMLNode.Entry], isNegated: Bool = false) {
        for form in forms {
            switch form.key {
            case "not": judge(form.value.entries ?? [], isNegated: true)
            case "equals", "differs", "increases": judgeComparison(form)
            default: judgeProof(form)
            }
            // What is to be refused may be of any length.
            if !isNegated, isWhole(form) { judgeOutcome(form) }
        }
    }

    /// True when nothing else is wrong with a form; one mistake is told by one sentence.
    private func isWhole(_ form: YAMLNode.Entry) -> Bool {
        let start = form.keyPosition
        return !context.mistakes.mistakes.suffix(20).contains { mistake in
            let place = mistake.position
            return place.file == start.file && (place.line, place.column) >= (start.line, start.column)
        }
    }

    // MARK: Comparisons

    /// A value of a comparison: a literal, or text with references.
    private struct Operand {
        let text: String
        let node: YAMLNode
        let isLiteral: Bool
    }

    private func judgeComparison(_ form: YAMLNode.Entry) {
        // A lone reference may be a list.
        if let text = form.value.text, TextTemplate.hasReferences(text) { return }
        let nodes = form.value.elements ?? [form.value]
        guard nodes.count >= 2 else {
            context.mistakes.add(
                form.keyPosition,
                "'\(form.key)' compares two values or more; here \(Amount.text(nodes.count, "value", "are"))"
            )
            return
        }
        let operands = nodes.compactMap { node in
            node.text.map { Operand(text: $0, node: node, isLiteral: !TextTemplate.hasReferences($0)) }
        }
        guard operands.count == nodes.count else { return }
        switch form.key {
        case "increases": judgeGrowth(operands, of: form)
        case "differs": judgeDifference(operands)
        default:
            if let first = operands.first, !first.isLiteral, operands.allSatisfy({ $0.text == first.text }) {
                context.mistakes.add(operands[1].node.position, "\(first.text) is compared with itself")
            }
        }
    }

    private func judgeGrowth(_ operands: [Operand], of form: YAMLNode.Entry) {
        guard operands.contains(where: { !$0.isLiteral }) else {
            context.mistakes.add(
                form.keyPosition,
                "'increases' has literals only, which say nothing of the card; name a variable such as \"${name}\""
            )
            return
        }
        for operand in operands where operand.isLiteral && !isNumber(operand.text) {
            context.mistakes.add(
                operand.node.position,
                "'\(operand.text)' cannot increase; it is neither a number from 0 on, nor a time, nor bytes in hex"
            )
        }
        for (earlier, later) in zip(operands, operands.dropFirst()) {
            if earlier.isLiteral, later.isLiteral, let low = Int(earlier.text), let high = Int(later.text),
                low >= high
            {
                context.mistakes.add(later.node.position, "\(later.text) is not larger than \(earlier.text)")
            } else if !earlier.isLiteral, earlier.text == later.text {
                context.mistakes.add(later.node.position, "\(later.text) is not larger than itself")
            }
        }
    }

    private func judgeDifference(_ operands: [Operand]) {
        guard operands.contains(where: { !$0.isLiteral }) else { return }
        var seen: Set<String> = []
        for operand in operands where !seen.insert(operand.text).inserted {
            context.mistakes.add(
                operand.node.position,
                "\(operand.text) stands twice, so that no two alike is impossible"
            )
        }
    }

    /// True for a number without a sign, a time, and for hex, which beside bytes is a number too.
    private func isNumber(_ text: String) -> Bool {
        if let number = Int(text) { return number >= 0 }
        if text.hasPrefix("0x"), Int(text.dropFirst(2), radix: 16) != nil { return true }
        return (try? DurationText.parse(text)) != nil || bytes(text)?.isEmpty == false
    }

    // MARK: Proofs

    private func judgeProof(_ form: YAMLNode.Entry) {
        guard let entries = form.value.entries else { return }
        let arguments = Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
        switch form.key {
        case "cmac":
            judgeKey(arguments["key"]) { key throws(CryptographyError) in _ = try CMAC.code(of: [], key: key)
            }
        case "x509": judgeCertificate(arguments)
        case "ed25519": judgePublicKey(arguments["key"], curve: .ed25519)
        case "bip340": judgePublicKey(arguments["key"], curve: .secp256k1)
        case "ecdsa", "signature": judgeSignature(arguments, form: form.key)
        default: break
        }
    }

    /// A signature, code or hash that is none whatever the card says, where it is written out.
    private func judgeOutcome(_ form: YAMLNode.Entry) {
        guard let entries = form.value.entries else { return }
        let arguments = Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
        switch form.key {
        case "hash":
            let word = arguments["algorithm"].map(literal) ?? "sha256"
            guard let word, let algorithm = HashAlgorithm(name: word) else { return }
            judgeLength(arguments["digest"], "a \(word) has", algorithm.digestLength...algorithm.digestLength)
        case "cmac": judgeLength(arguments["mac"], "a CMAC has", 4...16)
        case "ed25519", "bip340":
            judgeLength(arguments["signature"], "a signature of \(form.key) has", 64...64)
        case "ecdsa", "signature":
            guard let word = arguments["curve"].flatMap(literal) else { return }
            guard let curve = Curve(name: word), curve != .ed25519 else {
                return judgeLength(arguments["signature"], "a signature of \(word) has", 64...64)
            }
            let name = arguments["form"].map(literal) ?? ""
            judgeKey(arguments["signature"]) { bytes throws(CryptographyError) in
                guard let name else { return }
                _ = try ECDSASignature(bytes, curve: curve, form: ECDSASignature.Form(rawValue: name))
            }
        default: break
        }
    }

    private func judgeLength(_ entry: YAMLNode.Entry?, _ what: String, _ counts: ClosedRange<Int>) {
        guard let entry, let text = literal(entry), let bytes = bytes(text), !counts.contains(bytes.count)
        else { return }
        let wanted =
            counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
        context.mistakes.add(
            entry.value.position,
            "\(what) \(wanted) bytes; here \(Amount.text(bytes.count, "byte", "stand"))"
        )
    }

    private func judgeSignature(_ arguments: [String: YAMLNode.Entry], form: String) {
        if let digest = arguments["digest"], arguments["hash"] != nil {
            context.mistakes.add(
                digest.keyPosition,
                "'digest' says how 'message' is hashed; beside 'hash' it says nothing"
            )
        }
        guard let entry = arguments["curve"], let word = literal(entry) else { return }
        let isSchnorr = ["bip340", "bip0340"].contains(word)
        let plain = word == "ed25519_slip0010" ? "ed25519" : word
        guard let curve = isSchnorr ? .secp256k1 : Curve(name: plain) else { return }
        judgePublicKey(arguments["key"], curve: curve)
        guard isSchnorr || curve == .ed25519 else { return }
        if form == "ecdsa" {
            context.mistakes.add(
                entry.value.position,
                "'\(word)' is no curve of ECDSA; write '\(isSchnorr ? "bip340" : "ed25519")' in place of 'ecdsa'"
            )
            return
        }
        for name in ["digest", "form"] {
            guard let key = arguments[name] else { continue }
            if name == "digest", arguments["hash"] != nil { continue }
            context.mistakes.add(key.keyPosition, "'\(name)' says nothing to a signature of \(word)")
        }
    }

    private func judgeCertificate(_ arguments: [String: YAMLNode.Entry]) {
        judgePublicKey(arguments["key"], curve: nil)
        judgeKey(arguments["issuer"]) { bytes throws(CryptographyError) in
            if (try? Certificate(bytes)) == nil { _ = try PublicKey.read(bytes) }
        }
        guard let day = arguments["at"], let text = literal(day) else { return }
        do throws(TextError) { _ = try CalendarDate.parse(text) } catch { context.add(error, in: day.value) }
    }

    private func judgePublicKey(_ entry: YAMLNode.Entry?, curve: Curve?) {
        judgeKey(entry) { bytes throws(CryptographyError) in _ = try PublicKey.read(bytes, curve: curve) }
    }

    /// A key that is none stops the run at its step, whatever the card says.
    private func judgeKey(_ entry: YAMLNode.Entry?, by read: ([UInt8]) throws(CryptographyError) -> Void) {
        guard let entry, let text = literal(entry), let bytes = bytes(text) else { return }
        do throws(CryptographyError) { try read(bytes) } catch {
            context.mistakes.add(entry.value.position, "\(error)")
        }
    }

    private func literal(_ entry: YAMLNode.Entry) -> String? {
        guard let text = entry.value.text, !TextTemplate.hasReferences(text) else { return nil }
        return text
    }

    private func bytes(_ text: String) -> [UInt8]? {
        context.dictionary?.bytes[text] ?? (try? HexText.bytes(text))
    }
}
