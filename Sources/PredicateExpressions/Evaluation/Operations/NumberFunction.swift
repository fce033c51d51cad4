import Glibc
import KeyedArchives

/// The functions of one number, by their selectors.
enum NumberFunction: String, CaseIterable {
    case absolute = "abs:"
    case ceiling = "ceiling:"
    case floor = "floor:"
    case truncated = "trunc:"
    case squareRoot = "sqrt:"
    case decadicLogarithm = "log:"
    case naturalLogarithm = "ln:"
    case exponential = "exp:"
    case complement = "onesComplement:"

    static func power(_ base: Double, _ exponent: Double) -> Double {
        pow(base, exponent)
    }

    /// Returns the result; NULL for NULL, and if there is no result, such as the root of -1. Integers stay integers if
    /// possible.
    func apply(_ value: ExpressionValue) throws(EvaluationFault) -> ExpressionValue {
        if value.isNull { return .null }
        guard let number = NumberValue(value) else {
            throw EvaluationFault(.typeMismatch, "\(rawValue) is for a number, not for \(value.kind)")
        }
        switch number {
        case .integer(let integer):
            if let result = try whole(integer) { return .integer(result) }
        case .decimal(let decimal):
            if let result = try exact(decimal) { return .decimal(result) }
        case .real: break
        }
        let result = try real(number.real)
        return result.isNaN ? .null : .real(result)
    }

    private func whole(_ value: Int64) throws(EvaluationFault) -> Int64? {
        switch self {
        case .absolute:
            guard value != .min else { throw EvaluationFault(.overflow, "abs: of \(value) does not fit 64 bits") }
            return abs(value)
        case .ceiling, .floor, .truncated: return value
        case .complement: return ~value
        default: return nil
        }
    }

    private func exact(_ value: DecimalNumber) throws(EvaluationFault) -> DecimalNumber? {
        let truncated = value.truncated
        let isWhole = DecimalNumber.order(truncated, value) == 0
        switch self {
        case .absolute: return value.isNegative ? value.negated : value
        case .truncated: return truncated
        case .ceiling: return isWhole || value.isNegative ? truncated : try .sum(truncated, DecimalNumber(1))
        case .floor: return isWhole || !value.isNegative ? truncated : try .sum(truncated, DecimalNumber(-1))
        default: return nil
        }
    }

    private func real(_ value: Double) throws(EvaluationFault) -> Double {
        switch self {
        case .absolute: return value.magnitude
        case .ceiling: return value.rounded(.up)
        case .floor: return value.rounded(.down)
        case .truncated: return value.rounded(.towardZero)
        case .squareRoot: return value.squareRoot()
        // SQLite has no logarithm of zero either.
        case .decadicLogarithm: return value > 0 ? log10(value) : .nan
        case .naturalLogarithm: return value > 0 ? log(value) : .nan
        case .exponential: return exp(value)
        case .complement: throw EvaluationFault(.typeMismatch, "~ is for integers only")
        }
    }
}
