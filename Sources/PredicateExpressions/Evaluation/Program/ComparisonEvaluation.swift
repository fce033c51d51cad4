/// Evaluates comparisons in three-valued logic: nil is unknown, because of a NULL.
struct ComparisonEvaluation {
    private let comparison: ProgramComparison
    private let program: Program

    init(_ comparison: ProgramComparison, _ program: Program) {
        self.comparison = comparison
        self.program = program
    }

    func truth(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationFault) -> Bool? {
        switch comparison.modifier {
        case .direct: return try compare(left, right)
        case .any:
            for element in Self.elements(of: left) where try compare(element, right) == true { return true }
            return false
        case .all:
            for element in Self.elements(of: left) where try compare(element, right) != true { return false }
            return true
        }
    }

    /// Returns the elements to which ANY and ALL apply: a single value is a collection of one.
    private static func elements(of value: ExpressionValue) -> [ExpressionValue] {
        value.elements ?? [value]
    }

    private func compare(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationFault) -> Bool? {
        switch comparison.comparisonOperator {
        case .equal: return try equal(left, right)
        case .notEqual: return try equal(left, right).map { !$0 }
        case .lessThan: return try order(left, right).map { $0 < 0 }
        case .lessThanOrEqual: return try order(left, right).map { $0 <= 0 }
        case .greaterThan: return try order(left, right).map { $0 > 0 }
        case .greaterThanOrEqual: return try order(left, right).map { $0 >= 0 }
        case .between: return try between(left, right)
        case .memberOf: return try membership(of: left, in: right)
        case .contains: return try membership(of: right, in: left)
        case .beginsWith, .endsWith: return try part(right, of: left)
        case .like, .matches: return try match(left, right)
        }
    }

    private func folded(_ value: ExpressionValue) -> ExpressionValue {
        if case .string(let text) = value, TextComparison.isFolding(comparison.options) {
            return .string(TextFolding.folded(text, comparison.options))
        }
        return value
    }

    private func equal(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationFault) -> Bool? {
        if comparison.asksForNull, left.isNull || right.isNull { return left.isNull && right.isNull }
        return comparison.options.isEmpty ? try isEqual(left, right) : try isEqual(folded(left), folded(right))
    }

    /// Returns whether values are equal. Objects are equal to objects, and to the texts of their IDs; a comparison with
    /// anything else is an error, which would otherwise look like a condition that no object satisfies.
    private func isEqual(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationFault) -> Bool? {
        switch (left, right) {
        case (.object, .object), (.object, .null), (.null, .object), (.object, .host), (.host, .object):
            return ValueComparison.isEqual(left, right)
        case (.object(let object), let other), (let other, .object(let object)):
            return object == (try self.object(other))
        case (.array(let elements), let other), (.set(let elements), let other),
            (let other, .array(let elements)), (let other, .set(let elements)):
            if case .object? = elements.first, !other.isNull, other.elements == nil {
                throw .notACollection(other.kind)
            }
            return ValueComparison.isEqual(left, right)
        default: return ValueComparison.isEqual(left, right)
        }
    }

    /// Returns the object with the ID in a text.
    private func object(_ value: ExpressionValue) throws(EvaluationFault) -> ObjectReference {
        switch value {
        case .string(let text), .url(let text):
            guard let object = program.objects[text] else { throw .notAnObject(value.kind) }
            return try object.get()
        default: throw .notAnObject(value.kind)
        }
    }

    private func order(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationFault) -> Int? {
        comparison.options.isEmpty
            ? try ValueComparison.order(left, right) : try ValueComparison.order(folded(left), folded(right))
    }

    /// Evaluates `x BETWEEN {low, high}`, which is `x >= low AND x <= high`.
    private func between(_ value: ExpressionValue, _ bounds: ExpressionValue) throws(EvaluationFault) -> Bool? {
        if bounds.isNull { return nil }
        guard let limits = bounds.elements, limits.count == 2 else {
            throw EvaluationFault(.typeMismatch, "BETWEEN needs a collection of two, the lower and the upper bound")
        }
        let isAbove = try order(value, limits[0]).map { $0 >= 0 }
        let isBelow = try order(value, limits[1]).map { $0 <= 0 }
        if isAbove == false || isBelow == false { return false }
        return isAbove == nil || isBelow == nil ? nil : true
    }

    /// Returns whether an element of the collection is equal, or the string is a substring of the other.
    private func membership(
        of value: ExpressionValue, in whole: ExpressionValue
    ) throws(EvaluationFault) -> Bool? {
        switch (value, whole) {
        case (_, .array(let elements)), (_, .set(let elements)):
            var result: Bool? = false
            let wanted = folded(value)
            for element in elements {
                switch try isEqual(wanted, folded(element)) {
                case true?: return true
                case nil: result = nil
                case false?: break
                }
            }
            return result
        default: return try part(value, of: whole, as: .contains)
        }
    }

    private func part(
        _ part: ExpressionValue, of whole: ExpressionValue, as kind: ComparisonOperator? = nil
    ) throws(EvaluationFault) -> Bool? {
        guard let (whole, part) = try texts(whole, part) else { return nil }
        return TextComparison.holds(kind ?? comparison.comparisonOperator, whole, part, comparison.options)
    }

    private func match(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationFault) -> Bool? {
        guard let (text, pattern) = try texts(left, right) else { return nil }
        if let number = comparison.pattern { return try program.patterns[number].matches(text) }
        let isRegular = comparison.comparisonOperator == .matches
        return try TextPattern.cached(pattern, isRegular: isRegular, options: comparison.options).matches(text)
    }

    /// Returns both values as strings; nil if one is NULL.
    private func texts(
        _ left: ExpressionValue, _ right: ExpressionValue
    ) throws(EvaluationFault) -> (String, String)? {
        switch (left, right) {
        case (.string(let left), .string(let right)), (.url(let left), .string(let right)),
            (.string(let left), .url(let right)):
            return (left, right)
        case (.null, .string), (.null, .url), (.string, .null), (.url, .null), (.null, .null): return nil
        default:
            let symbol = comparison.comparisonOperator.symbol
            throw EvaluationFault(
                .typeMismatch, "\(symbol) is for strings, not for \(left.kind) and \(right.kind)")
        }
    }
}
