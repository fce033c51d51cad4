package import KeyedArchives
public import ManagedObjectModels
public import PredicateExpressions
package import SQLiteAccess

/// The part of a number from an expression that an attribute's type cannot keep.
public enum NumberLoss: Int64, Sendable {
    /// The number is beyond the range of the type; for a Double, it is infinite.
    case range = 1
    /// The number has a fraction, and the type does not; a Boolean has only 0 and 1.
    case fraction
    /// A decimal has more digits than its column can keep.
    case digits

    /// The range of the magnitudes of decimals, as doubles.
    package static let decimals = 1e-127...3.4028236692093846e165

    /// The loss for a value that Swift computes; nil if there is none.
    public init?(of value: ExpressionValue, as type: AttributeType) {
        let number: Double
        let whole: Int64?
        let isWhole: Bool
        switch value {
        case .integer(let integer): (number, whole, isWhole) = (Double(integer), integer, true)
        case .real(let real):
            let cut = real.rounded(.towardZero)
            (number, whole, isWhole) = (real, Int64(exactly: cut), cut == real)
        case .decimal(let decimal):
            let cut = decimal.truncated
            (number, whole) = (decimal.real, Int64(cut.description))
            isWhole = DecimalNumber.order(cut, decimal) == 0
        default: return nil
        }
        let loss: NumberLoss?
        switch (type, value) {
        case (.integer16, _), (.integer32, _), (.integer64, _):
            let isInRange = whole.flatMap { type.integerRange?.contains($0) } ?? false
            loss = !isInRange ? .range : isWhole ? nil : .fraction
        case (.boolean, _): loss = isWhole && (0...1).contains(whole ?? -1) ? nil : .fraction
        case (.float, _): loss = abs(number) <= Double(Float.greatestFiniteMagnitude) ? nil : .range
        case (.double, _): loss = number.isInfinite ? .range : nil
        case (.decimal, .decimal(let decimal)):
            let stored = StoredValue.stored(.decimal(decimal.description), as: .decimal)
            loss = Self.isRounded(decimal, to: stored) ? .digits : nil
        case (.decimal, .real): loss = number == 0 || Self.decimals.contains(abs(number)) ? nil : .range
        default: loss = nil
        }
        guard let loss else { return nil }
        self = loss
    }

    /// Returns whether a column holds other digits than the decimal that was stored.
    package static func isRounded(_ decimal: DecimalNumber, to stored: SQLiteValue) -> Bool {
        guard case .real(let kept) = stored else { return false }
        return DecimalNumber("\(kept)").map { DecimalNumber.order($0, decimal) != 0 } ?? true
    }

    /// Returns the possible losses for a value that SQL computes, each with a condition on it that matches the check in
    /// Swift.
    public static func conditions(
        on sql: String, _ kind: SQLValueKind, as type: AttributeType
    ) -> [(loss: NumberLoss, sql: String)] {
        let mayHaveFraction = kind == .real || kind == .decimal
        guard mayHaveFraction || kind == .integer else { return [] }
        func literal(_ number: Double) -> String { SQLiteValue.real(number).literal }
        switch type {
        case .integer16, .integer32, .integer64:
            guard let range = type.integerRange, mayHaveFraction || type != .integer64 else { return [] }
            // The cast turns all larger numbers into the largest integer, and numbers of that size have no fractions.
            let cut = type == .integer64 ? "(\(sql))" : "CAST((\(sql)) AS INTEGER)"
            let bounds = [range.lowerBound, range.upperBound].map { SQLiteValue.integer($0).literal }
            let between = "BETWEEN \(bounds[0]) AND \(bounds[1])"
            let beyond = (NumberLoss.range, "\(cut) NOT \(between)")
            return mayHaveFraction
                ? [beyond, (.fraction, "(\(sql)) <> CAST((\(sql)) AS INTEGER) AND \(cut) \(between)")] : [beyond]
        case .boolean: return [(.fraction, "(\(sql)) NOT IN (0, 1)")]
        case .float:
            let greatest = Double(Float.greatestFiniteMagnitude)
            return [(.range, "(\(sql)) NOT BETWEEN \(literal(-greatest)) AND \(literal(greatest))")]
        case .double where mayHaveFraction:
            return [(.range, "(\(sql)) IN (\(literal(.infinity)), \(literal(-.infinity)))")]
        case .decimal where kind == .real:
            return [
                (
                    .range,
                    "(\(sql)) <> 0 AND abs(\(sql)) NOT BETWEEN \(literal(decimals.lowerBound)) AND "
                        + literal(decimals.upperBound)
                )
            ]
        default: return []
        }
    }

    /// Returns the possible losses for a value that Swift computes for a type.
    static func all(of type: AttributeType) -> [NumberLoss] {
        switch type {
        case .integer16, .integer32, .integer64: [.range, .fraction]
        case .boolean: [.fraction]
        case .float, .double: [.range]
        case .decimal: [.range, .digits]
        default: []
        }
    }
}
