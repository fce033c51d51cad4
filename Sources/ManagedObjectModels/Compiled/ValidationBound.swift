import KeyedArchives
import PredicateExpressions

/// A bound or pattern of a validation, and its predicate in compiled models, with Cocoa's error number.
struct ValidationBound {
    private enum Kind {
        case minimum
        case maximum
        case pattern(String)
    }

    private let kind: Kind
    /// The bound, or the text of the pattern.
    private let value: AttributeValue
    private let type: AttributeType

    /// Returns the bounds and the pattern of an attribute, in the order in which they are written.
    static func all(of validation: AttributeValidation, type: AttributeType) -> [ValidationBound] {
        var bounds: [ValidationBound] = []
        if let minimum = validation.minimum { bounds.append(ValidationBound(.minimum, minimum, type)) }
        if let maximum = validation.maximum { bounds.append(ValidationBound(.maximum, maximum, type)) }
        if let pattern = validation.regularExpression {
            bounds.append(ValidationBound(.pattern(pattern), .string(pattern), type))
        }
        return bounds
    }

    private init(_ kind: Kind, _ value: AttributeValue, _ type: AttributeType) {
        self.kind = kind
        self.value = value
        self.type = type
    }

    /// Makes the bound that a predicate represents: `SELF >= 1`, `length <= 50`, `SELF MATCHES "..."`.
    init?(_ predicate: Predicate, type: AttributeType) {
        guard case .comparison(let comparison) = predicate, comparison.modifier == .direct, comparison.options == [],
            case .constant(let constant) = comparison.right
        else { return nil }
        if comparison.comparisonOperator == .matches {
            guard comparison.left == .evaluatedObject, case .string(let pattern) = constant else {
                return nil
            }
            self.init(.pattern(pattern), .string(pattern), type)
            return
        }
        guard comparison.left == (type == .string ? .keyPath("length") : .evaluatedObject),
            let value = Self.value(constant, of: type)
        else { return nil }
        switch comparison.comparisonOperator {
        case .greaterThanOrEqual: self.init(.minimum, value, type)
        case .lessThanOrEqual: self.init(.maximum, value, type)
        default: return nil
        }
    }

    private static func value(_ constant: ConstantValue, of type: AttributeType) -> AttributeValue? {
        switch (type, constant) {
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)),
            (.string, .integer(let number)):
            .integer(number)
        case (.double, .real(let number)), (.float, .real(let number)): .real(number)
        case (.double, .integer(let number)), (.float, .integer(let number)): .real(Double(number))
        case (.decimal, .decimal(let number)): .decimal(number.description)
        case (.decimal, .integer(let number)): .decimal("\(number)")
        case (.decimal, .real(let number)): DecimalNumber("\(number)").map { .decimal($0.description) }
        case (.date, .date(let seconds)): .date(seconds)
        default: nil
        }
    }

    /// Sets the bound in a validation; returns false if it is already set.
    func assign(to validation: inout AttributeValidation) -> Bool {
        switch kind {
        case .minimum:
            guard validation.minimum == nil else { return false }
            validation.minimum = value
        case .maximum:
            guard validation.maximum == nil else { return false }
            validation.maximum = value
        case .pattern(let pattern):
            guard validation.regularExpression == nil else { return false }
            validation.regularExpression = pattern
        }
        return true
    }

    /// The number of Cocoa's error for a value that violates the bound.
    var code: Int {
        switch kind {
        case .pattern: 1680
        case .minimum: type == .string ? 1670 : type == .date ? 1640 : 1620
        case .maximum: type == .string ? 1660 : type == .date ? 1630 : 1610
        }
    }

    /// The predicate; nil if a text in the model is not a value of the type.
    var predicate: Predicate? {
        let subject: Expression = type == .string ? .keyPath("length") : .evaluatedObject
        switch kind {
        case .pattern(let pattern): return .comparison(.evaluatedObject, .matches, .constant(.string(pattern)))
        case .minimum: return constant.map { .comparison(subject, .greaterThanOrEqual, .constant($0)) }
        case .maximum: return constant.map { .comparison(subject, .lessThanOrEqual, .constant($0)) }
        }
    }

    private var constant: ConstantValue? {
        switch value {
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .decimal(let text): DecimalNumber(text).map { .decimal($0) }
        case .date(let seconds): .date(seconds)
        default: nil
        }
    }
}
