import ManagedObjectModels
import PredicateExpressions
import SQLiteAccess

/// The condition of a partial index as Core Data writes it (docs/format/sqlite-store.md#indexes): comparisons of
/// columns with numbers and NULL, with every compound condition in parentheses.
struct PartialIndexCondition {
    /// The condition after `WHERE`; nil for an index of all rows.
    let sql: String?

    /// Returns nil if the index has a predicate of another form.
    ///
    /// - Parameter column: returns the column of a property.
    init?(_ index: FetchIndexDescription, column: (String) -> String?) {
        guard let format = index.partialIndexPredicate else {
            sql = nil
            return
        }
        guard let predicate = try? Predicate(format: format), let sql = Self.sql(of: predicate, column) else {
            return nil
        }
        self.sql = sql
    }

    private static func sql(of predicate: Predicate, _ column: (String) -> String?) -> String? {
        switch predicate {
        case .comparison(let comparison): return sql(of: comparison, column)
        case .and(let parts): return compound(parts, " AND ", column)
        case .or(let parts): return compound(parts, " OR ", column)
        case .not, .constant: return nil
        }
    }

    private static func compound(
        _ parts: [Predicate], _ conjunction: String, _ column: (String) -> String?
    ) -> String? {
        let texts = parts.compactMap { sql(of: $0, column) }
        return texts.count == parts.count ? "(\(texts.joined(separator: conjunction)))" : nil
    }

    private static func sql(of comparison: ComparisonPredicate, _ column: (String) -> String?) -> String? {
        guard comparison.modifier == .direct, comparison.options.isEmpty,
            case .keyPath(.evaluatedObject, let property) = comparison.left, let column = column(property),
            case .constant(let value) = comparison.right
        else { return nil }
        let name = SQLiteIdentifier.bare(column)
        let number: Int64
        switch (value, comparison.comparisonOperator) {
        case (.null, .equal): return "\(name) IS NULL"
        case (.null, .notEqual): return "\(name) IS NOT NULL"
        case (.integer(let value), _): number = value
        case (.boolean(let flag), _): number = flag ? 1 : 0
        default: return nil
        }
        let symbol: String
        switch comparison.comparisonOperator {
        case .equal: symbol = "="
        case .notEqual: symbol = "<>"
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            symbol = comparison.comparisonOperator.symbol
        default: return nil
        }
        return "\(name) \(symbol) \(number)"
    }
}
