// SPDX-License-Identifier: MIT

/// Somebody who can tell the state of a LED, and what is told.
public struct LEDWitness: Hashable, Sendable, CustomStringConvertible {
    /// Who it is, for example `the probe`.
    public let name: String
    /// What is told; nil when it is nothing definite.
    public let state: LEDState?

    /// Makes a witness.
    public init(_ name: String, _ state: LEDState?) {
        self.name = name
        self.state = state
    }

    /// What the firmware's log said last of the LED; nil when it said nothing.
    public static func log(_ lines: [UARTLine]) -> LEDState? {
        for line in lines.reversed() where line.source == firmwareSource {
            if let state = sayings[line.text] { return state }
        }
        return nil
    }

    /// What the examples say of the LED: that for data transfer, then that for pass-through.
    private static let sayings: [String: LEDState] = [
        "LED turned ON": .lit, "LED turned OFF": .dark, "Turning on LED": .lit, "Turning off LED": .dark,
    ]

    /// Source of the lines of the kit's example firmware.
    private static let firmwareSource = "NBT example"

    /// What a byte of FILE_2 says: 01 lit, 00 dark, nothing else is ever written by the firmware.
    public static func file(_ bytes: [UInt8]) -> LEDState? {
        switch bytes.first {
        case 0x01: .lit
        case 0x00: .dark
        default: nil
        }
    }

    /// The witness and the word: `FILE_2 says dark`.
    public var description: String { "\(name) says \(state?.rawValue ?? "neither lit nor dark")" }

    /// One sentence about all of them, which names those who disagree.
    ///
    /// - Parameters:
    ///   - witnesses: The witnesses, at least one.
    ///   - wanted: What they have to tell.
    /// - Returns: The sentence.
    public static func sentence(_ witnesses: [LEDWitness], wanted: LEDState) -> String {
        let wrong = witnesses.filter { $0.state != wanted }
        let right = witnesses.filter { $0.state == wanted }
        if wrong.isEmpty { return "\(list(right)) agree that the LED is \(wanted.rawValue)" }
        let complaint = wrong.map(\.description).joined(separator: " and ")
        if right.isEmpty { return "\(complaint), expected \(wanted.rawValue)" }
        let verb = right.count == 1 ? "says" : "say"
        return "\(complaint), while \(list(right)) \(verb) that the LED is \(wanted.rawValue)"
    }

    /// One sentence about a LED that is not as it was wanted: who says so alone, or that all agree on it.
    ///
    /// - Parameters:
    ///   - witnesses: The witnesses, at least one.
    ///   - wanted: What they were to tell.
    /// - Returns: The sentence.
    public static func account(_ witnesses: [LEDWitness], wanted: LEDState) -> String {
        let isOne = witnesses.allSatisfy { $0.state == wanted.other }
        return sentence(witnesses, wanted: isOne ? wanted.other : wanted)
    }

    private static func list(_ witnesses: [LEDWitness]) -> String {
        guard let last = witnesses.last, witnesses.count > 1 else { return witnesses.first?.name ?? "nobody" }
        return witnesses.dropLast().map(\.name).joined(separator: ", ") + " and \(last.name)"
    }
}
