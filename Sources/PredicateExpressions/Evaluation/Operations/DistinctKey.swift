import KeyedArchives

/// A value in a form in which equal values are identical: 1, 1.0 and YES are one key, and strings are their bytes.
struct DistinctKey: Hashable {
    private enum Content: Hashable {
        case value(ExpressionValue)
        case text([UInt8])
        case many([DistinctKey])
        case some(Set<DistinctKey>)
    }

    private let content: Content

    init(_ value: ExpressionValue) {
        switch value {
        // The equality of strings would treat canonically equivalent texts as equal.
        case .string(let text): content = .text(Array(text.utf8))
        case .boolean(let value): content = .value(.integer(value ? 1 : 0))
        case .real(let real): content = .value(Int64(exactly: real).map { .integer($0) } ?? .real(real))
        case .decimal(let decimal):
            if decimal.exponent >= 0, let whole = Int64(decimal.description) {
                content = .value(.integer(whole))
            } else {
                let real = decimal.real
                let isExact = DecimalNumber("\(real)").map { DecimalNumber.order($0, decimal) == 0 } ?? false
                content = .value(isExact ? .real(real) : value)
            }
        case .array(let elements): content = .many(elements.map { DistinctKey($0) })
        case .set(let elements): content = .some(Set(elements.map { DistinctKey($0) }))
        default: content = .value(value)
        }
    }
}
