// SPDX-License-Identifier: MIT

import Synchronization

/// A card that answers from a list of rules, as a `card.json` describes it.
///
/// The first rule whose command is the one received and that is not used up answers; `default` answers the rest.
/// How often a rule was used is the memory of the session, not of the card: power does not touch it. The reset of
/// `reset-after` comes at the first use of its rule only.
public final class ScriptedCard: Card {
    /// What happened to the card's power.
    public enum Event: String, Hashable, Sendable {
        /// Power came.
        case powerOn
        /// Power went.
        case powerOff
    }

    /// Answer to reset.
    public let atr: [UInt8]
    /// The protocol that the file names, for example `T=0`; nil when it names none.
    public let protocolName: String?
    /// Whether the card puts the parts of a chained command together, so that the rig may chain.
    public let acceptsChaining: Bool

    private let rules: [ScriptedRule]
    private let rulesByCommand: [[UInt8]: [Int]]
    private let defaultAnswer: [UInt8]
    private let state: Mutex<State>

    private struct State {
        var uses: [Int]
        var needsReset = false
        var events: [Event] = []
    }

    /// Reads a card from its file.
    ///
    /// - Parameters:
    ///   - json: The bytes of the file.
    ///   - name: The file's name, for complaints.
    /// - Throws: ``ScriptedCardError`` with the place of the first mistake.
    public init(json: [UInt8], name: String) throws(ScriptedCardError) {
        let script = try CardScript(json: json, name: name)
        atr = script.atr
        protocolName = script.protocolName
        acceptsChaining = script.acceptsChaining
        rules = script.rules
        defaultAnswer = script.defaultAnswer
        var rulesByCommand: [[UInt8]: [Int]] = [:]
        for (index, rule) in script.rules.enumerated() {
            rulesByCommand[rule.command, default: []].append(index)
        }
        self.rulesByCommand = rulesByCommand
        state = Mutex(State(uses: Array(repeating: 0, count: script.rules.count)))
    }

    /// What happened to the card's power, oldest first.
    public var events: [Event] { state.withLock { $0.events } }

    /// Power comes.
    public func powerOn() {
        state.withLock { state in
            state.needsReset = false
            state.events.append(.powerOn)
        }
    }

    /// Power goes.
    public func powerOff() {
        state.withLock { $0.events.append(.powerOff) }
    }

    /// Answers as the rules say.
    public func respond(to command: [UInt8]) -> CardAnswer {
        state.withLock { state in
            if state.needsReset { return CardAnswer([], ending: .mute) }
            guard let index = rulesByCommand[command]?.first(where: { state.uses[$0] < rules[$0].times })
            else {
                return CardAnswer(defaultAnswer)
            }
            let rule = rules[index]
            let isFirst = state.uses[index] == 0
            state.uses[index] += 1
            state.needsReset = rule.fault == .needsReset
            // The other program resets the card once; a set-up that is run again finds it at peace.
            if rule.fault == .resetAfter, !isFirst { return CardAnswer(rule.response, time: rule.delay) }
            return rule.answer
        }
    }
}
