import KeyedArchives
import SQLiteAccess

/// A number to compute with; a Boolean is 0 or 1.
enum NumberValue {
    case integer(Int64)
    case decimal(DecimalNumber)
    case real(Double)

    init?(_ value: ExpressionValue) {
        switch value {
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .decimal(let value): self = .decimal(value)
        case .real(let value): self = .real(value)
        default: return nil
        }
    }

    /// The nearest real.
    var real: Double {
        switch self {
        case .integer(let value): Double(value)
        case .decimal(let value): value.real
        case .real(let value): value
        }
    }

    var isZero: Bool {
        switch self {
        case .integer(let value): value == 0
        case .decimal(let value): value.mantissa == 0
        case .real(let value): value == 0
        }
    }

    /// Returns the number as a decimal; a real by its shortest digits, so that 0.1 is 0.1.
    func decimal() throws(EvaluationFault) -> DecimalNumber {
        switch self {
        case .integer(let value): return DecimalNumber(value)
        case .decimal(let value): return value
        case .real(let value):
            guard value.isFinite, let decimal = DecimalNumber("\(value)") else {
                throw EvaluationFault(.overflow, "\(value) is not a decimal number")
            }
            return decimal
        }
    }

    /// Returns the exact order, -1, 0 or 1, also between integers and reals; nil for NaN.
    static func order(_ left: NumberValue, _ right: NumberValue) -> Int? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.real(let left), .real(let right)):
            return left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
        case (.integer(let left), .real(let right)): return left.order(with: right)
        case (.real(let left), .integer(let right)): return right.order(with: left).map { -$0 }
        case (.decimal, _), (_, .decimal):
            guard let first = try? left.decimal(), let second = try? right.decimal() else {
                // An infinite or very large real, or NaN.
                return order(.real(left.real), .real(right.real))
            }
            return DecimalNumber.order(first, second)
        }
    }
}
