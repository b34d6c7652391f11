// SPDX-License-Identifier: MIT

/// A bound that speaks of a variable: `>= 2 * ${name}`.
struct Bound: Hashable, Sendable {
    let comparison: Comparison
    /// The factor is a fraction, so that `1.5 * ${name}` loses nothing.
    private let numerator: Int
    private let denominator: Int
    private let reference: TextPiece
    private let place: TextPlace
    /// The text as the file has it.
    let text: String

    /// Reads a bound; nil when the text is something else.
    ///
    /// - Parameters:
    ///   - pieces: Letters and references.
    ///   - place: Where the text begins.
    init?(_ pieces: [TextPiece], at place: TextPlace) {
        guard pieces.count == 2, case .literal(let letters) = pieces[0], case .reference = pieces[1] else {
            return nil
        }
        var cursor = TextCursor(letters)
        cursor.skipBlanks()
        let comparison = Comparison.take(&cursor)
        cursor.skipBlanks()
        var factor = (1, 1)
        if !cursor.isAtEnd {
            guard let read = Self.factor(&cursor) else { return nil }
            factor = read
        } else if comparison == nil {
            return nil
        }
        self.comparison = comparison ?? .equal
        (numerator, denominator) = factor
        reference = pieces[1]
        self.place = place
        text = pieces.sourceText
    }

    /// The names that it refers to.
    var references: [(name: String, position: SourcePosition)] {
        TextTemplate.references(
            in: [.literal(text.split(separator: "$").first.map(String.init) ?? ""), reference],
            at: place
        )
    }

    private var position: SourcePosition { place.start }

    /// True when a value stands to the variable as the bound says.
    func holds(_ value: Value, in scope: Scope) throws(ScenarioMistake) -> Bool {
        let other = try [reference].filled(in: scope, at: position)
        if case .duration(let time) = value {
            guard case .duration(let base)? = other.converted(like: value, dictionary: nil) else {
                throw ScenarioMistake(position, "\(text): \(other.kindName) stands where a time is wanted")
            }
            return comparison.holds(time * denominator, base * numerator)
        }
        let wanted = ArgumentType.number(.min ... .max)
        do {
            guard case .number(let number) = try value.converted(to: wanted, dictionary: nil),
                case .number(let base) = try other.converted(to: wanted, dictionary: nil)
            else { return false }
            let (left, isLeftTooLarge) = number.multipliedReportingOverflow(by: denominator)
            let (right, isRightTooLarge) = base.multipliedReportingOverflow(by: numerator)
            guard !isLeftTooLarge, !isRightTooLarge else {
                return comparison.holds(
                    Double(number) * Double(denominator),
                    Double(base) * Double(numerator)
                )
            }
            return comparison.holds(left, right)
        } catch {
            let hidden = ArgumentType.hiddenComplaint(wanted: wanted.wantedText)
            let mistake = [reference].mistake(error, at: position, hidden, in: scope)
            throw ScenarioMistake(
                position,
                mistake.message.replacing([reference].sourceText + ":", with: text + ":")
            )
        }
    }

    /// The text with the variable's value behind it.
    func explained(in scope: Scope) -> String {
        guard let value = try? [reference].filled(in: scope, at: position) else { return text }
        return "\(text) (with \([reference].sourceText) = \(value.text))"
    }

    private static func factor(_ cursor: inout TextCursor) -> (Int, Int)? {
        let whole = cursor.take(while: \.isDigit)
        var digits = whole
        var scale = 1
        if cursor.take(".") {
            let fraction = cursor.take(while: \.isDigit)
            guard !fraction.isEmpty, fraction.utf8.count <= 6 else { return nil }
            digits += fraction
            for _ in fraction.utf8 { scale *= 10 }
        }
        cursor.skipBlanks()
        guard !whole.isEmpty, digits.utf8.count <= 12, let number = Int(digits), cursor.take("*") else {
            return nil
        }
        cursor.skipBlanks()
        return cursor.isAtEnd ? (number, scale) : nil
    }
}
