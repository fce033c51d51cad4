import ManagedObjectModels
import MappingModels

/// SQL that converts a stored number to another type, for types between which inference converts.
///
/// It only uses functions that every version of SQLite has, because the statements are executed on all kinds of
/// connections.
struct NumberConversion {
    let source: AttributeType
    let destination: AttributeType
    let narrowing: NumberNarrowing

    /// SQL for the column.
    let column: String

    /// Returns nil if the types are the same, or if inference does not convert between them.
    init?(from source: AttributeType, to destination: AttributeType, column: String, _ narrowing: NumberNarrowing) {
        guard source != destination, source.isScalarNumber, destination.isScalarNumber else { return nil }
        (self.source, self.destination, self.column, self.narrowing) = (source, destination, column, narrowing)
    }

    /// The condition that the type can represent the number; every type can represent NULL.
    var fits: String { "(\(column) IS NULL OR \(has))" }

    private var has: String {
        let isNumber = "typeof(\(column)) IN ('integer', 'real')"
        switch destination {
        case .boolean: return "(\(isNumber) AND \(column) IN (0, 1))"
        case .double: return "(\(isNumber) AND CAST(\(column) AS REAL) = \(column))"
        case .float:
            // Zero and the infinities have single precision, and splitting does not change them.
            return "(\(isNumber) AND (\(column) IN (0, 9e999, -9e999) OR abs(\(real)) BETWEEN "
                + "\(Self.smallestFloat) AND \(Self.largestFloat) AND \(Self.single(real)) = \(column)))"
        default:
            let range = destination.integerRange ?? Int64.min...Int64.max
            return "(\(isNumber) AND CAST(\(column) AS INTEGER) = \(column) AND CAST(\(column) AS INTEGER) "
                + "BETWEEN \(Self.literal(range.lowerBound)) AND \(range.upperBound))"
        }
    }

    /// SQL for the number as the new type stores it; nil if it is the unchanged column.
    var value: String? {
        guard AttributeType.mayNarrow(from: source, to: destination) else {
            return source.integerRange == nil && source != .boolean || !isReal ? nil : exact
        }
        switch narrowing {
        case .refuse: return exact == column ? nil : exact
        case .null: return "CASE WHEN \(fits) THEN \(exact) END"
        case .round: return rounded
        }
    }

    /// SQL for the value of a number that fits.
    private var exact: String {
        isReal
            ? source == .double || source == .float ? column : real
            : source == .double || source == .float ? "CAST(\(column) AS INTEGER)" : column
    }

    private var rounded: String {
        switch destination {
        case .boolean: return "(\(column) <> 0)"
        case .double: return exact
        case .float:
            return "CASE WHEN abs(\(real)) < \(Self.smallestFloat) THEN 0.0 WHEN abs(\(real)) = 9e999 THEN \(real) "
                + "WHEN \(real) > \(Self.largestFloat) THEN \(Self.largestFloat) "
                + "WHEN \(real) < -\(Self.largestFloat) THEN -\(Self.largestFloat) ELSE \(Self.single(real)) END"
        default:
            let range = destination.integerRange ?? Int64.min...Int64.max
            let whole = source == .double || source == .float ? "CAST(round(\(column)) AS INTEGER)" : column
            return "max(\(Self.literal(range.lowerBound)), min(\(range.upperBound), \(whole)))"
        }
    }

    /// SQL for the number as a double, because the lowest integer has no absolute value.
    private var real: String { "CAST(\(column) AS REAL)" }

    private var isReal: Bool { destination == .double || destination == .float }

    /// The smallest normal and the largest number of single precision.
    private static let smallestFloat = "1.1754943508222875e-38"
    private static let largestFloat = "3.4028234663852886e+38"

    /// Returns SQL for the leading 24 bits of a double, rounded to nearest (Veltkamp's splitting; Dekker 1971); the
    /// factor is 2^29 + 1.
    private static func single(_ real: String) -> String {
        "(\(real) * 536870913.0 - (\(real) * 536870913.0 - \(real)))"
    }

    /// Returns the literal of a number; SQLite reads the digits of the lowest integer as a real.
    private static func literal(_ number: Int64) -> String {
        number == .min ? "(\(number + 1) - 1)" : "\(number)"
    }
}
