// SPDX-License-Identifier: MIT

import JSONText
import SmartCard

/// Why a file describes no scripted card.
public struct ScriptedCardError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and where, in one sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A rule of a scripted card.
struct ScriptedRule: Hashable, Sendable {
    /// What goes wrong at this rule.
    enum Fault: Hashable, Sendable {
        /// The card is reset by somebody else after the answer.
        case resetAfter
        /// No answer comes.
        case mute
        /// After the answer the card is mute until it is reset.
        case needsReset
        /// The card leaves the reader so long after the command.
        case removal(after: Duration)
    }

    let command: [UInt8]
    let response: [UInt8]
    let times: Int
    let delay: Duration
    let fault: Fault?

    var answer: CardAnswer {
        switch fault {
        case nil, .needsReset: CardAnswer(response, time: delay)
        case .resetAfter: CardAnswer(response, time: delay, ending: .resetAfterwards)
        case .mute: CardAnswer([], ending: .mute)
        case .removal(let time): CardAnswer([], time: time, ending: .removed)
        }
    }
}

/// The checked content of a `card.json`.
struct CardScript {
    let atr: [UInt8]
    let protocolName: String?
    let acceptsChaining: Bool
    let rules: [ScriptedRule]
    let defaultAnswer: [UInt8]

    /// The answer of a card that says nothing of an instruction: instruction not supported.
    private static let instructionUnknown: [UInt8] = [0x6D, 0x00]
    private static let usualATR: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]
    private static let protocols = ["T=0", "T=1", "T=CL"]

    init(json: [UInt8], name: String) throws(ScriptedCardError) {
        let document: JSON
        do {
            document = try JSON(parsing: json)
        } catch {
            throw ScriptedCardError("\(name):\(error.line):\(error.column): \(error.message)")
        }
        let place = Place(value: document, text: name)
        guard document.members != nil else { throw place.mistake("a card is an object with \"rules\"") }
        if let kind = document["kind"], kind != "card" {
            throw place.mistake("\"kind\" is \(kind.text), a scripted card has \"card\"")
        }
        atr = try place.hex("atr") ?? Self.usualATR
        protocolName = try place.text("protocol")
        if let protocolName, !Self.protocols.contains(protocolName) {
            throw place.mistake(
                "protocol \"\(protocolName)\" is none of \(Self.protocols.joined(separator: ", "))"
            )
        }
        acceptsChaining = try place.flag("chaining") ?? false
        defaultAnswer = try place.hex("default") ?? Self.instructionUnknown
        guard let list = document["rules"]?.array else {
            throw place.mistake("the list \"rules\" is missing")
        }
        var rules: [ScriptedRule] = []
        for (index, value) in list.enumerated() {
            rules.append(try ScriptedRule(Place(value: value, text: "\(name): rule \(index + 1)")))
        }
        self.rules = rules
    }
}

extension ScriptedRule {
    private static let keys = ["c", "r", "times", "delay_ms", "fault", "note"]
    /// A day: longer waits are mistakes.
    private static let longestMilliseconds = 86_400_000.0

    fileprivate init(_ place: Place) throws(ScriptedCardError) {
        guard let members = place.value.members else {
            throw place.mistake("a rule is an object with \"c\" and \"r\"")
        }
        if let unknown = members.first(where: { !Self.keys.contains($0.key) }) {
            throw place.mistake(
                "unknown key \"\(unknown.key)\"; a rule has \(Self.keys.joined(separator: ", "))"
            )
        }
        guard let command = try place.hex("c") else { throw place.mistake("the command \"c\" is missing") }
        self.command = command
        fault = try place.text("fault").map { text throws(ScriptedCardError) in try Self.fault(text, place) }
        if let response = try place.hex("r") {
            self.response = response
        } else {
            switch fault {
            case .mute, .removal: response = []
            default: throw place.mistake("the response \"r\" is missing")
            }
        }
        switch place.value["times"] {
        case nil: times = .max
        case .integer(let count) where count > 0: times = count
        default: throw place.mistake("\"times\" must be a whole number from 1")
        }
        guard let delay = place.value["delay_ms"] else {
            self.delay = .zero
            return
        }
        guard let milliseconds = delay.double, (0...Self.longestMilliseconds).contains(milliseconds) else {
            throw place.mistake("\"delay_ms\" must be a number from 0 to 86400000, a day")
        }
        self.delay = .nanoseconds(Int64(milliseconds * 1_000_000))
    }

    private static func fault(_ text: String, _ place: Place) throws(ScriptedCardError) -> Fault {
        switch text {
        case "reset-after": return .resetAfter
        case "mute": return .mute
        case "needs-reset": return .needsReset
        default:
            let (prefix, suffix) = ("remove-at-", "ms")
            guard text.hasPrefix(prefix), text.hasSuffix(suffix),
                let milliseconds = Int(text.dropFirst(prefix.count).dropLast(suffix.count)),
                (0...Int(longestMilliseconds)).contains(milliseconds)
            else {
                throw place.mistake(
                    "fault \"\(text)\" is none of reset-after, remove-at-2000ms, mute, needs-reset"
                )
            }
            return .removal(after: .milliseconds(milliseconds))
        }
    }
}

/// An object of the file, and what to call it in complaints.
private struct Place {
    let value: JSON
    let text: String

    func mistake(_ sentence: String) -> ScriptedCardError {
        ScriptedCardError("\(text): \(sentence)")
    }

    func text(_ key: String) throws(ScriptedCardError) -> String? {
        guard let member = value[key] else { return nil }
        guard let string = member.string else { throw mistake("\"\(key)\" must be a text in quotes") }
        return string
    }

    func flag(_ key: String) throws(ScriptedCardError) -> Bool? {
        guard let member = value[key] else { return nil }
        guard let boolean = member.boolean else { throw mistake("\"\(key)\" must be true or false") }
        return boolean
    }

    func hex(_ key: String) throws(ScriptedCardError) -> [UInt8]? {
        guard let digits = try text(key) else { return nil }
        do {
            return try HexText.bytes(digits)
        } catch {
            throw mistake("\"\(key)\", character \(error.column): \(error)")
        }
    }
}
