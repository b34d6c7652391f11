// SPDX-License-Identifier: MIT

import SmartCard

/// Knows which bytes of commands, answers and messages nobody should read.
///
/// Hidden are: the data field of VERIFY, CHANGE REFERENCE DATA and RESET RETRY COUNTER in every class, keys loaded into
/// a reader, the PIN fields of a wallet card's commands, passwords and keys of an NBT, the values of named secrets
/// wherever they occur, and what the rules of the present step add. Header and length fields stay readable.
public struct SecretMask: Sendable {
    /// Values shorter than this are not searched for: they would be found everywhere.
    public static let shortestValue = 4
    /// Values of bytes that are no digits are learned from this length on.
    private static let shortestLearned = 6
    /// How many values are learned from commands before the oldest is forgotten.
    private static let learnedLimit = 64
    /// How many values that steps have hidden are remembered before the oldest is forgotten.
    private static let hiddenLimit = 256

    /// True when nothing is hidden.
    public var showsSecrets: Bool
    /// What the present step hides besides.
    public var rules: [MaskRule] = []
    /// Secret values of the present step that are too short to be searched for elsewhere.
    public var stepValues: [[UInt8]] = []

    private let target: String?
    private var values: [[UInt8]] = []
    private var learned: [[UInt8]] = []
    /// What the rules of steps have hidden.
    private var hidden: [[UInt8]] = []

    /// Makes a mask.
    ///
    /// - Parameters:
    ///   - target: The device's word; nil when it is not known, and then the fields of all devices are looked for. So
    ///     they are for `iso7816`, which may be a card of any make.
    ///   - showsSecrets: Hide nothing.
    public init(target: String?, showsSecrets: Bool = false) {
        self.target = target == "iso7816" ? nil : target
        self.showsSecrets = showsSecrets
    }

    /// Adds the value of a named secret.
    public mutating func addSecret(_ value: [UInt8]) {
        guard value.count >= Self.shortestValue, !values.contains(value) else { return }
        values.append(value)
        // The longest first, so that a secret inside of another does not leave the rest of it readable.
        values.sort { $0.count > $1.count }
    }

    /// Adds a named secret that is text: the text itself, and its bytes where it is hex.
    public mutating func addSecret(_ text: String) {
        addSecret(Array(text.utf8))
        if let bytes = try? HexText.bytes(text) { addSecret(bytes) }
    }

    /// What of a command is hidden.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - part: Where its data begins in the whole when it is a part of a chain; nil when it is the whole.
    /// - Returns: Ranges in ascending order, none touching another.
    public func hiddenInCommand(_ command: [UInt8], part: Int? = nil) -> [Range<Int>] {
        guard !showsSecrets, command.count > 5 else { return [] }
        var out: [Range<Int>] = []
        let mayHoldTLV = target == nil || target == "tangem"
        guard
            mayHoldTLV || mayBeChip || !rules.isEmpty || knowsValues || isSecretInstruction(command)
        else { return [] }
        let data = CommandLayout(command).data
        guard !data.isEmpty else { return [] }
        if isSecretInstruction(command) { out.append(data) }
        if mayHoldTLV { out += walletFields(in: command, data: data) }
        if mayBeChip { out += chipPasswords(command, data: data).ranges }
        for rule in rules { out += rule.ranges(in: command, data: data, coding: coding, part: part) }
        out += occurrences(in: command, from: data.lowerBound)
        return out.isEmpty ? out : TracedBytes.merged(out, count: command.count)
    }

    /// What of an answer is hidden; the status word never is.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - command: The command that it answers.
    ///   - part: Where its data begins in the whole answer when it is a part of it; nil when it is the whole.
    /// - Returns: Ranges in ascending order, none touching another.
    public func hiddenInResponse(
        _ response: [UInt8],
        to command: [UInt8],
        part: Int? = nil
    ) -> [Range<Int>] {
        guard !showsSecrets, response.count > 2 else { return [] }
        var out: [Range<Int>] = []
        if mayBeChip, command.count > 5 {
            out = chipPasswords(command, data: CommandLayout(command).data).responseRanges(in: response)
        }
        guard !out.isEmpty || !rules.isEmpty || knowsValues else { return [] }
        let data = 0..<response.count - 2
        for rule in rules { out += rule.ranges(in: response, data: data, coding: coding, part: part) }
        out += occurrences(in: response, from: 0)
        return out.isEmpty ? out : TracedBytes.merged(out, count: data.count)
    }

    /// Remembers what a command hides by its instruction, so that it is hidden in later messages as well.
    public mutating func learn(from command: [UInt8]) {
        guard !showsSecrets, command.count > 5 else { return }
        var secrets: [Range<Int>] = []
        let data = CommandLayout(command).data
        if isSecretInstruction(command) { secrets.append(data) }
        if target == nil || target == "tangem" { secrets += walletFields(in: command, data: data) }
        if mayBeChip { secrets += chipPasswords(command, data: data).ranges }
        for range in secrets {
            let value = Array(command[range])
            learn(value)
            // A PIN is often padded with FF; messages show it without.
            let padding = value.reversed().prefix { $0 == 0xFF }.count
            if padding > 0 { learn(Array(value.dropLast(padding))) }
        }
    }

    private mutating func learn(_ value: [UInt8]) {
        // Values such as 00000000 or 01020304 occur in all test data; to hide them would make traces useless.
        let isDigits = value.allSatisfy { (0x30...0x39).contains($0) }
        guard value.count >= (isDigits ? Self.shortestValue : Self.shortestLearned),
            value.contains(where: { $0 != value[0] }), !learned.contains(value), !values.contains(value)
        else { return }
        if learned.count == Self.learnedLimit { learned.removeFirst() }
        learned.append(value)
    }

    /// Remembers values that the rules of a step have hidden in something that came whole or in parts.
    ///
    /// - Parameters:
    ///   - data: The whole so far.
    ///   - isCut: Whether something came before it that is not there.
    ///   - earlier: What was remembered of it when there was less.
    /// - Returns: The hidden values, the short ones too.
    mutating func noteHidden(
        in data: [UInt8],
        isCut: Bool = false,
        instead earlier: [[UInt8]] = []
    ) -> [[UInt8]] {
        guard !showsSecrets, !rules.isEmpty, !data.isEmpty else { return [] }
        let ranges = rules.flatMap {
            $0.ranges(in: data, data: 0..<data.count, coding: coding, part: isCut ? 0 : nil)
        }
        let found = TracedBytes.merged(ranges, count: data.count).map { Array(data[$0]) }
        guard found != earlier else { return found }
        hidden.removeAll(where: earlier.contains)
        for value in found { addHidden(value) }
        return found
    }

    /// Takes over what another mask of the same card has found out.
    public mutating func adopt(_ other: SecretMask) {
        for value in other.values { addSecret(value) }
        for value in other.learned { learn(value) }
        for value in other.hidden { addHidden(value) }
        stepValues = other.stepValues
    }

    /// Adds a value that turned out secret on the way; the oldest of many is forgotten.
    public mutating func addHidden(_ value: [UInt8]) {
        // One byte over and over, as in an empty file, is found everywhere.
        guard value.count >= Self.shortestValue, value.contains(where: { $0 != value[0] }),
            !hidden.contains(value), !values.contains(value)
        else { return }
        if hidden.count == Self.hiddenLimit { hidden.removeFirst() }
        hidden.append(value)
    }

    private var knowsValues: Bool {
        !(values.isEmpty && learned.isEmpty && hidden.isEmpty && stepValues.isEmpty)
    }

    /// A text with the secret values replaced by stars, whether they stand there as text or as hex.
    public func mask(text: String) -> String {
        guard !showsSecrets, knowsValues else { return text }
        let original = Array(text.utf8)
        var bytes = original
        for value in values + learned + hidden + stepValues {
            TextMask.hideLiteral(value, of: original, in: &bytes)
            TextMask.hideHex(value, of: original, in: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private var coding: TLVRanges.Coding { target == "tangem" ? .flat : .ber }

    /// INS 20, 24 and 2C with their BER twins in every class of the card, and LOAD KEYS of the reader.
    ///
    /// Source: ISO/IEC 7816-4:2013 §7.5; PC/SC part 3 §3.2.2.1.4.
    private func isSecretInstruction(_ command: [UInt8]) -> Bool {
        if command[0] == 0xFF { return command[1] == 0x82 }
        // SET CONFIGURATION of an NBT has the instruction of VERIFY, and nothing to hide.
        if target == "nbt", command[0] == 0x20, command[1] == 0x20 { return false }
        switch command[1] {
        case 0x20, 0x21, 0x24, 0x25, 0x2C, 0x2D: return true
        default: return false
        }
    }

    /// Values of the secret tags of a Tangem command: PIN, new PIN, PIN2, new PIN2; of a card that is known to be one
    /// also new PIN3, CVC, reset PIN, exchange key, the parts of a session key, an imported private key, and the digest
    /// over both new codes.
    private func walletFields(in command: [UInt8], data: Range<Int>) -> [Range<Int>] {
        // Of an unknown card only a data field that is nothing but such objects, in the class that they have, counts.
        if target == nil {
            guard command[0] == 0, command[1] >= 0xF0 || command[1] == 0xD0 || command[1] == 0xD1 else {
                return []
            }
        }
        let (objects, isWhole) = TLVRanges(command, coding: .flat).objects(in: data)
        guard target != nil || isWhole else { return [] }
        // PERSONALIZE carries the codes of the new card, encrypted under a key that everybody knows.
        if target != nil, command[1] == 0xF1 { return [data] }
        let isChangeOfCodes = command[1] == 0xFA
        return objects.filter { object in
            switch object.tag {
            case 0x10...0x13: true
            case 0x19, 0x1A, 0x1B, 0x1E, 0x1F, 0x36, 0x6F: target != nil
            case 0x42: target != nil && isChangeOfCodes
            default: false
            }
        }.map(\.value)
    }

    private var mayBeChip: Bool { target == nil || target == "nbt" }

    private func chipPasswords(_ command: [UInt8], data: Range<Int>) -> ChipPasswords {
        ChipPasswords(command, data: data, isKnown: target != nil)
    }

    private func occurrences(in bytes: [UInt8], from start: Int) -> [Range<Int>] {
        var out: [Range<Int>] = []
        for value in values { TextMask.find(value, in: bytes, from: start) { out.append($0) } }
        for value in learned { TextMask.find(value, in: bytes, from: start) { out.append($0) } }
        for value in hidden { TextMask.find(value, in: bytes, from: start) { out.append($0) } }
        for value in stepValues { TextMask.find(value, in: bytes, from: start) { out.append($0) } }
        return out
    }
}
