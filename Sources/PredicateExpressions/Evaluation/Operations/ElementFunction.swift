/// Functions that split and combine collections.
enum ElementFunction {
    private static func elements(_ value: ExpressionValue) throws(EvaluationFault) -> [ExpressionValue] {
        if value.isNull { return [] }
        guard let elements = value.elements else {
            throw EvaluationFault(.typeMismatch, "a collection is needed, and this is \(value.kind)")
        }
        return elements
    }

    /// Returns the elements of either, of both, or of only the first collection, without duplicates.
    static func combine(
        _ operation: SetOperation, _ left: ExpressionValue, _ right: ExpressionValue
    ) throws(EvaluationFault) -> ExpressionValue {
        let first = try elements(left)
        let second = try elements(right)
        let others = Set(second.map { DistinctKey($0) })
        let result: [ExpressionValue] =
            switch operation {
            case .union: first + second
            case .intersect: first.filter { others.contains(DistinctKey($0)) }
            case .minus: first.filter { !others.contains(DistinctKey($0)) }
            }
        return .set(CollectionFunction.distinct(result))
    }

    /// Returns the element at an index, counted from 0; NULL if there is none.
    static func element(
        of value: ExpressionValue, at index: ExpressionValue
    ) throws(EvaluationFault) -> ExpressionValue {
        if index.isNull { return .null }
        let elements = try elements(value)
        guard case .integer(let number) = index else {
            throw EvaluationFault(.typeMismatch, "an index is an integer, not \(index.kind)")
        }
        return number >= 0 && number < Int64(elements.count) ? elements[Int(number)] : .null
    }

    static func element(
        of value: ExpressionValue, _ symbol: SymbolicIndex
    ) throws(EvaluationFault) -> ExpressionValue {
        let elements = try elements(value)
        switch symbol {
        case .first: return elements.first ?? .null
        case .last: return elements.last ?? .null
        case .size: return .integer(Int64(elements.count))
        }
    }

    /// Returns the parts of a text separated by any of the characters, without empty ones.
    static func tokens(
        of value: ExpressionValue, separatedBy separators: ExpressionValue, _ limits: EvaluationLimits
    ) throws(EvaluationFault) -> ExpressionValue {
        switch (value, separators) {
        case (.null, _), (_, .null): return .null
        case (.string(let text), .string(let separators)):
            let separators = Set(separators)
            // One more than the limit shows that there are too many.
            let parts = text.split(maxSplits: limits.elements) { separators.contains($0) }
            try limits.check(elements: parts.count)
            return .array(parts.map { .string(String($0)) })
        default: throw EvaluationFault(.typeMismatch, "tokenize:using: is for two strings")
        }
    }

    /// Returns a random integer from 0 up to, but not including, the limit.
    static func random(below limit: ExpressionValue) throws(EvaluationFault) -> ExpressionValue {
        if limit.isNull { return .null }
        guard case .integer(let limit) = limit, limit > 0 else {
            throw EvaluationFault(.typeMismatch, "random: needs a whole number above 0")
        }
        return .integer(Int64.random(in: 0..<limit))
    }

    /// Returns a random UUID: version 4, variant 1.
    static func newUUID() -> ExpressionValue {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return .uuid(bytes)
    }
}
