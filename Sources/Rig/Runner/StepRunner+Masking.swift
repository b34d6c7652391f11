// SPDX-License-Identifier: MIT

import RunRecord
import Scenario
import SmartCard
import Trace

extension StepRunner {
    /// Runs a step on its connection; what one connection has to hide, the other hides too.
    func perform(_ step: Step, on runner: StepRunner, record: inout StepRecord, scope: Scope) throws {
        guard runner !== self else { return try perform(step, record: &record, scope: scope) }
        runner.stack.tracing.masks.adopt(stack.tracing.masks)
        let earlier = runner.caller
        // A step in the middle of the other one's step may lead back to where it all began.
        let first = caller ?? self
        if first !== runner { runner.caller = first }
        defer {
            runner.caller = earlier
            stack.tracing.masks.adopt(runner.stack.tracing.masks)
        }
        try runner.perform(step, record: &record, scope: scope)
    }

    /// What did not hold, told without the data that the step hides.
    ///
    /// A part of them would be enough to give them away: the byte that differs, a number made of two of them.
    func hiding(_ mismatches: [Mismatch]) -> [Mismatch] {
        guard hidesAnswer else { return mismatches }
        return mismatches.map { $0.kind == .unexpectedData ? hiding($0) : $0 }
    }

    /// True when the present step has a mask that hid something of an answer.
    var hidesAnswer: Bool {
        let tracing = stack.tracing
        return !tracing.masks.rules.isEmpty && !tracing.hiddenValues.isEmpty
    }

    private func hiding(_ mismatch: Mismatch) -> Mismatch {
        var out = mismatch
        out.decoded = []
        // A number of bytes or of exchanges tells nothing about any of them.
        guard !["len ", "exchanges "].contains(where: mismatch.received.hasPrefix) else { return out }
        var mask = SecretMask(target: nil)
        mask.stepValues = stack.tracing.hiddenValues
        out.expected = mask.mask(text: mismatch.expected)
        out.received = "not shown: the step masks it"
        if let range = mismatch.message.firstRange(of: ", got ") {
            out.message = mismatch.message[..<range.lowerBound] + ", got something else"
        }
        out.message = mask.mask(text: out.message)
        return out
    }

    /// True for a value out of an answer that hides it, or that hides a part of it.
    func isHidden(_ value: Value) -> Bool {
        let hidden = stack.tracing.hiddenValues
        guard !hidden.isEmpty else { return false }
        switch value {
        case .bytes(let bytes): return hidden.contains { $0.shares(bytes) }
        case .text(let text):
            let bytes = Array(text.utf8)
            let isHex = (try? HexText.bytes(text)).map(isHidden) ?? false
            return isHex || hidden.contains { $0.shares(bytes) }
        case .list(let values): return values.contains(where: isHidden)
        case .map(let entries): return entries.values.contains(where: isHidden)
        case .number, .boolean, .duration, .statusWord: return false
        }
    }

    private func isHidden(_ bytes: [UInt8]) -> Bool { isHidden(.bytes(bytes)) }
}

extension PreparedStep {
    /// The values of the secret names that the step asks for: in what it sends and tells they are hidden however short
    /// they are, down to two bytes.
    func secretValues(in scope: Scope) -> [[UInt8]] {
        guard !scope.secretNames.isEmpty else { return [] }
        var references = templates.values.flatMap(\.references)
        references += step.expectation?.references ?? []
        switch step.poll?.goal {
        case .until(let expectation), .whileHolding(let expectation): references += expectation.references
        case nil: break
        }
        return Set(references.map(\.name)).intersection(scope.secretNames).sorted().flatMap { name in
            scope[name]?.secretForms.filter { $0.count > 1 } ?? []
        }
    }
}

extension Value {
    /// The bytes under which a secret value is found in texts and exchanges.
    var secretForms: [[UInt8]] {
        switch self {
        case .bytes(let bytes): [bytes]
        case .list(let values): values.flatMap(\.secretForms)
        case .map(let entries): entries.values.flatMap(\.secretForms)
        default: [Array(text.utf8)] + [try? HexText.bytes(text)].compactMap { $0 }
        }
    }
}

extension [UInt8] {
    /// True when one of the two holds the other, and that is more than one byte.
    fileprivate func shares(_ other: [UInt8]) -> Bool {
        Swift.min(count, other.count) > 1 && (contains(other) || other.contains(self))
    }
}
