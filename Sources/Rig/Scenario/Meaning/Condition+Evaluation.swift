// SPDX-License-Identifier: MIT

extension Condition {
    /// Reads `if`.
    ///
    /// - Returns: The condition, or nil when a mistake was noted.
    public static func read(_ node: YAMLNode, in context: ReadingContext) -> Condition? {
        guard let text = node.text, !text.isEmpty else {
            context.mistakes.add(node.position, "'if' takes a condition, such as \"${name} == value\"")
            return nil
        }
        do throws(TextError) {
            let test = try ConditionTest.parse(text)
            let place = node.textPlace
            var condition = Condition(text: text, position: place.start)
            condition.place = place
            condition.test = test
            return condition
        } catch {
            context.add(error, in: node)
            return nil
        }
    }

    /// The variables that must have a value; one behind `present` need not.
    public var references: [(name: String, position: SourcePosition)] {
        guard case .compare(let subject, _, let values, _)? = test else { return [] }
        let start = text.unicodeScalars.prefix { $0 == " " || $0 == "\t" }.count
        // Each part begins behind the others; a part of its own line of the file begins there.
        let first = TextTemplate.references(in: [subject], at: TextPlace(position(at: start)))
        return first
            + values.flatMap {
                TextTemplate.references(in: $0.pieces, at: TextPlace(position(at: $0.column)))
            }
    }

    /// True when the step is to be done.
    ///
    /// - Throws: ``ScenarioMistake`` when a variable has no value.
    public func holds(in scope: Scope) throws(ScenarioMistake) -> Bool {
        switch test {
        case .present(let name, let index):
            guard let value = scope[name] else { return false }
            guard let index else { return true }
            return index < (value.count ?? 0)
        case .compare(let subject, let isNegated, let operands, _):
            let value = try [subject].filled(in: scope, at: position)
            for operand in operands {
                let other = try operand.pieces.filled(in: scope, at: position(at: operand.column))
                if Self.isEqual(value, other, scope.dictionary) { return !isNegated }
            }
            return isNegated
        case nil:
            do throws(TextError) {
                _ = try ConditionTest.parse(text)
            } catch {
                throw ScenarioMistake(position(at: error.column), error.message, hint: error.hint)
            }
            return false
        }
    }

    private func position(at column: Int) -> SourcePosition {
        (place ?? TextPlace(position)).position(column)
    }

    /// A text beside a value of another type takes that type.
    private static func isEqual(_ left: Value, _ right: Value, _ dictionary: DeviceDictionary?) -> Bool {
        if left == right { return true }
        if case .text = left, case .text = right { return false }
        if case .text = left { return left.converted(like: right, dictionary: dictionary) == right }
        return right.converted(like: left, dictionary: dictionary) == left
    }
}
