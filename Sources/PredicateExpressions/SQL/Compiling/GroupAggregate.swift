import KeyedArchives
import SQLiteAccess

/// The aggregates of a grouped fetch over the rows of a group.
public enum GroupAggregate: String, Sendable, Hashable, CaseIterable {
    /// The number of values, their sum, or their average.
    case count, sum, average
    /// The minimum.
    case minimum = "min"
    /// The maximum.
    case maximum = "max"

    /// Makes the aggregate for a selector of the language, such as `sum:`; nil for any other.
    public init?(selector: String) {
        switch CollectionFunction(rawValue: selector) {
        case .count: self = .count
        case .sum: self = .sum
        case .average: self = .average
        case .minimum: self = .minimum
        case .maximum: self = .maximum
        default: return nil
        }
    }

    /// Returns the aggregate over the rows of a group in SQL; NULL values are skipped, and the sum without values is 0.
    /// - Throws: `SQLRefusal` for values of an unsupported type. The text of a decimal result is exact, but not a
    ///   number to SQLite until it is cast.
    public func sql(of value: SQLFragment) throws(SQLRefusal) -> SQLFragment {
        let name: String
        var kind = value.kind
        switch (self, value.kind) {
        case (.count, _): (name, kind) = ("count", .integer)
        case (.minimum, let kind) where kind.hasOrder: name = "min"
        case (.maximum, let kind) where kind.hasOrder: name = "max"
        case (.sum, .boolean), (.sum, .integer): (name, kind) = (SQLFunction.name(.sum), .integer)
        case (.sum, .real): name = SQLFunction.name(.sum)
        case (.average, .boolean), (.average, .integer), (.average, .real):
            (name, kind) = (SQLFunction.name(.average), .real)
        case (.sum, .decimal): name = SQLFunction.decimalSum
        case (.average, .decimal): name = SQLFunction.decimalAverage
        default: throw SQLRefusal(part: value.text, reason: "\(rawValue) is not for \(value.kind.name)")
        }
        return SQLFragment(
            text: "\(name)(\(value.text))", parameters: value.parameters, kind: kind, usesFunctions: true)
    }

    /// Returns whether the result is the text of a decimal.
    public func isText(of kind: SQLValueKind) -> Bool { kind == .decimal && (self == .sum || self == .average) }
}
