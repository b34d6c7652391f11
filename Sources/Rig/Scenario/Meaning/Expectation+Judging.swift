// SPDX-License-Identifier: MIT

internal import SmartCard

extension Expectation {
    /// Compares what a step saw with what was expected.
    ///
    /// A transport fault that was not expected is left to the caller: nothing else is looked at then.
    ///
    /// - Parameters:
    ///   - observation: What the step saw.
    ///   - scope: The variables.
    ///   - isRaw: Response following was off; an earlier 61xx is fine then.
    ///   - allow: Status words that pass besides the expected ones.
    /// - Returns: What did not hold, and how much was looked at.
    /// - Throws: ``ScenarioMistake`` when a variable has no value, or its value cannot stand where it does.
    public func judge(
        _ observation: Observation,
        scope: Scope,
        isRaw: Bool = false,
        allow: [StatusPattern] = []
    ) throws(ScenarioMistake) -> Judgement {
        if let assertions = assertionsThatHold(observation) { return Judgement(assertions: assertions) }
        var judge = ExpectationJudge(
            expectation: self,
            observation: observation,
            scope: scope,
            isRaw: isRaw,
            allow: allow
        )
        try judge.run()
        return judge.out
    }

    /// Judges a step that has no expectation: status 9000 of every command, and no typed error.
    ///
    /// - Parameters:
    ///   - observation: What the step saw.
    ///   - position: Where the step stands.
    ///   - scope: Where the names of the target are.
    ///   - isRaw: Response following was off; an earlier 61xx is fine then.
    ///   - allow: Status words that pass besides 9000.
    /// - Returns: What did not hold, and how much was looked at.
    public static func judgeDefault(
        _ observation: Observation,
        at position: SourcePosition,
        scope: Scope = Scope(),
        isRaw: Bool = false,
        allow: [StatusPattern] = []
    ) -> Judgement {
        if observation.fault == nil, observation.error == nil, Self.succeeded(observation) {
            return Judgement(assertions: observation.exchanges.isEmpty ? 0 : 1)
        }
        let expectation = Expectation(position: position)
        var judge = ExpectationJudge(
            expectation: expectation,
            observation: observation,
            scope: scope,
            isRaw: isRaw,
            allow: allow
        )
        judge.runDefault()
        return judge.out
    }

    /// The short way for the common case of a repeated step: 9000 everywhere, and checks that need no variables.
    ///
    /// - Parameter observation: What the step saw.
    /// - Returns: How much was looked at when all of it holds; nil when the long way must tell.
    private func assertionsThatHold(_ observation: Observation) -> Int? {
        guard observation.fault == nil, observation.error == nil, expectedFaults.isEmpty,
            expectedErrors.isEmpty,
            Self.succeeded(observation), let last = observation.last
        else { return nil }
        var assertions = 1
        for item in items {
            switch (item.subject, item.check) {
            case (.status, .status(let pattern)):
                guard pattern.matches(last.sw) else { return nil }
                // It stands in the place of the default.
                assertions -= 1
            case (.data, .bytes(let pattern)):
                guard (try? pattern.matches(last.data)) == true else { return nil }
            case (.length, .count(let range)):
                guard range.contains(last.data.count) else { return nil }
            case (.time, .time(let bound)):
                for exchange in observation.exchanges where !bound.contains(exchange.duration) { return nil }
            case (.total, .time(let bound)):
                guard let total = observation.total else { continue }
                guard bound.contains(total) else { return nil }
            default: return nil
            }
            assertions += 1
        }
        return assertions
    }

    /// True when every command was answered with 9000, whatever had to be followed on the way.
    private static func succeeded(_ observation: Observation) -> Bool {
        for exchange in observation.exchanges where exchange.response?.sw != .success {
            if !exchange.isContinued { return false }
        }
        return true
    }
}

extension StatusPattern {
    /// The status words of `allow`; `guard` and what is no status word is left out.
    public static func allowed(_ texts: [String]) -> [StatusPattern] {
        texts.compactMap { try? parse($0) }
    }
}

/// Compares one observation with one expectation.
struct ExpectationJudge {
    /// Who judges the status of the last command when the expectation does not say.
    enum DefaultStatus {
        case success
        case unjudged
    }

    let expectation: Expectation
    let observation: Observation
    let scope: Scope
    let isRaw: Bool
    let allow: [StatusPattern]
    var defaultStatus = DefaultStatus.success
    var out = Judgement()

    init(
        expectation: Expectation,
        observation: Observation,
        scope: Scope,
        isRaw: Bool,
        allow: [StatusPattern],
        defaultStatus: DefaultStatus = .success
    ) {
        self.expectation = expectation
        self.observation = observation
        self.scope = scope
        self.isRaw = isRaw
        self.allow = allow
        self.defaultStatus = defaultStatus
    }

    mutating func runDefault() {
        guard observation.fault == nil else { return }
        guard observation.error == nil else { return judgeError() }
        judgeEarlier()
        judgeDefaultStatus()
    }

    mutating func run() throws(ScenarioMistake) {
        if !expectation.expectedFaults.isEmpty || observation.fault != nil {
            guard judgeFault() else { return }
        }
        let statusHolds = try judgeStatus()
        if !expectation.expectedErrors.isEmpty || observation.error != nil {
            judgeErrors(isExplained: statusHolds && expectation.asksForStatus)
        }
        // One sentence says why: data of an answer that was refused would only repeat it.
        let isRefused = !out.holds
        for item in expectation.items {
            switch item.subject {
            case .status: continue
            case .total where observation.total == nil: continue
            case .data, .length, .ascii, .tlv, .ndef, .field:
                if isRefused { continue }
            default: break
            }
            out.assertions += 1
            try judge(item)
        }
    }

    mutating func add(
        _ kind: Mismatch.Kind,
        _ message: String,
        expected: String,
        received: String,
        decoded: [String] = [],
        hint: String = "",
        at position: SourcePosition? = nil
    ) {
        out.mismatches.append(
            Mismatch(
                kind,
                message,
                expected: expected,
                received: received,
                decoded: decoded,
                hint: hint,
                at: position ?? expectation.position
            )
        )
    }

    // MARK: Faults and errors

    /// True when the rest is to be looked at.
    private mutating func judgeFault() -> Bool {
        if let fault = observation.fault {
            if expectation.expectedFaults.contains(fault) { out.assertions += 1 }
            return false
        }
        out.assertions += 1
        let wanted = expectation.expectedFaults.joined(separator: " or ")
        add(
            .unexpectedError,
            "expected the fault \(wanted), but the step ended without one",
            expected: "fault \(wanted)",
            received: observation.last.map { MismatchText.status($0.sw, scope.dictionary) } ?? "no fault"
        )
        return false
    }

    private mutating func judgeErrors(isExplained: Bool) {
        let wanted = expectation.expectedErrors
        if wanted.isEmpty {
            // Inside of `not`, an error is judged where it is named; else the expectation around it does.
            if !isExplained, out.holds, defaultStatus == .success { judgeError() }
            return
        }
        out.assertions += 1
        let list = wanted.joined(separator: " or ")
        guard let error = observation.error else {
            return add(
                .unexpectedError,
                "expected the error \(list), but the step ended without one",
                expected: "error \(list)",
                received: observation.last.map { MismatchText.status($0.sw, scope.dictionary) } ?? "no error"
            )
        }
        guard !wanted.contains(error) else { return }
        add(
            .unexpectedError,
            "expected the error \(list), got \(error)",
            expected: "error \(list)",
            received: MismatchText.error(observation, scope.dictionary)
        )
    }

    private mutating func judgeError() {
        guard let error = observation.error else { return }
        out.assertions += 1
        add(
            .unexpectedError,
            "got the error \(error), expected none",
            expected: "no error",
            received: MismatchText.error(observation, scope.dictionary),
            hint: "if this error is meant, write expect: { error: \(error) }"
        )
    }

    // MARK: Status words

    /// True when every status word that was looked at holds.
    private mutating func judgeStatus() throws(ScenarioMistake) -> Bool {
        var isReplaced = defaultStatus == .unjudged
        var judgesEarlier = defaultStatus == .success
        for item in expectation.items {
            if item.replacesDefaultStatus { isReplaced = true }
            switch item.subject {
            case .wire: judgesEarlier = false
            case .every(let inner): if inner.asksForStatus { judgesEarlier = false }
            default: break
            }
        }
        let meansError = !expectation.expectedErrors.isEmpty
        if judgesEarlier, !meansError { judgeEarlier() }
        for item in expectation.items where item.subject == .status {
            out.assertions += 1
            try judgeStatus(item)
        }
        if !isReplaced, !meansError, observation.error == nil { judgeDefaultStatus() }
        return out.holds
    }

    private mutating func judgeStatus(_ item: ExpectationItem) throws(ScenarioMistake) {
        guard let last = observation.last else {
            return add(
                .unexpectedStatus,
                "expected SW \(item.check.text(in: scope)), but no command was answered",
                expected: "SW \(item.check.text(in: scope))",
                received: "no answer",
                at: item.position
            )
        }
        let holds: Bool
        if case .status(let pattern) = item.check {
            holds = pattern.matches(last.sw)
        } else {
            holds = try item.check.holds(.statusWord(last.sw), at: item.position, in: scope)
        }
        guard !holds, !isAllowed(last.sw) else { return }
        addStatus(last.sw, expected: item.check.text(in: scope), at: item.position)
    }

    private mutating func judgeDefaultStatus() {
        guard let last = observation.last else { return }
        out.assertions += 1
        guard !observation.isJudgedByLibrary, last.sw != .success, !isAllowed(last.sw) else { return }
        addStatus(last.sw, expected: "9000", at: expectation.position)
    }

    /// An earlier command that is not 9000 fails the step, whatever the last one says.
    private mutating func judgeEarlier() {
        let count = observation.exchanges.count
        guard count > 1, !observation.isJudgedByLibrary else { return }
        for index in 0..<count - 1 where !observation.exchanges[index].isContinued {
            guard let sw = observation.exchanges[index].response?.sw else { continue }
            if sw == .success || isAllowed(sw) || (isRaw && sw.sw1 == 0x61) { continue }
            out.assertions += 1
            let command = MismatchText.command(observation.exchanges[index].command)
            return add(
                .unexpectedStatus,
                "command \(index + 1) of \(count) (\(command)): expected SW 9000, got \(sw)",
                expected: "SW 9000",
                received: MismatchText.status(sw, scope.dictionary),
                hint: MismatchText.hint(sw, scope.dictionary, isRaw: isRaw)
            )
        }
    }

    private mutating func addStatus(_ sw: StatusWord, expected: String, at position: SourcePosition) {
        add(
            .unexpectedStatus,
            "expected SW \(expected), got \(sw)",
            expected: "SW \(expected)",
            received: MismatchText.status(sw, scope.dictionary),
            hint: observation.exchanges.last?.isContinued == true
                ? MismatchText.continuedHint : MismatchText.hint(sw, scope.dictionary, isRaw: isRaw),
            at: position
        )
    }

    private func isAllowed(_ sw: StatusWord) -> Bool {
        for pattern in allow where pattern.matches(sw) { return true }
        return false
    }
}
