import ManagedObjectModels
import MappingModels

/// SQL that makes a stored number one of another type, for types that inference takes for each other.
///
/// Only functions that every SQLite has are used: the statements run on connections of all kinds.
struct NumberConversion {
    let source: AttributeType
    let destination: AttributeType
    let narrowing: NumberNarrowing

    /// The column, as SQL.
    let column: String

    /// nil if the types are the same, or are not taken for each other.
    init?(from source: AttributeType, to destination: AttributeType, column: String, _ narrowing: NumberNarrowing) {
        guard source != destination, source.isScalarNumber, destination.isScalarNumber else { return nil }
        (self.source, self.destination, self.column, self.narrowing) = (source, destination, column, narrowing)
    }

    /// The condition that the type has the number; NULL is one of every type.
    var fits: String { "(\(column) IS NULL OR \(has))" }

    private var has: String {
        let isNumber = "typeof(\(column)) IN ('integer', 'real')"
        switch destination {
        case .boolean: return "(\(isNumber) AND \(column) IN (0, 1))"
        case .double: return "(\(isNumber) AND CAST(\(column) AS REAL) = \(column))"
        case .float:
            // Zero and the infinities are numbers of single precision, and neither is changed by splitting it off.
            return "(\(isNumber) AND (\(column) IN (0, 9e999, -9e999) OR abs(\(real)) BETWEEN "
                + "\(Self.smallestFloat) AND \(Self.largestFloat) AND \(Self.single(real)) = \(column)))"
        default:
            let range = destination.integerRange ?? Int64.min...Int64.max
            return "(\(isNumber) AND CAST(\(column) AS INTEGER) = \(column) AND CAST(\(column) AS INTEGER) "
                + "BETWEEN \(Self.literal(range.lowerBound)) AND \(range.upperBound))"
        }
    }

    /// The number as the new type stores it; nil if the column is that already.
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

    /// The value of a number that fits.
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

    /// The number as a double: the least integer has no absolute value of its own.
    private var real: String { "CAST(\(column) AS REAL)" }

    private var isReal: Bool { destination == .double || destination == .float }

    /// The smallest normal and the largest number of single precision.
    private static let smallestFloat = "1.1754943508222875e-38"
    private static let largestFloat = "3.4028234663852886e+38"

    /// The leading 24 bits of a double, to the nearest (Veltkamp's splitting; Dekker 1971): its factor is 2^29 + 1.
    private static func single(_ real: String) -> String {
        "(\(real) * 536870913.0 - (\(real) * 536870913.0 - \(real)))"
    }

    /// SQLite reads the digits of the least integer as a real number.
    private static func literal(_ number: Int64) -> String {
        number == .min ? "(\(number + 1) - 1)" : "\(number)"
    }
}
