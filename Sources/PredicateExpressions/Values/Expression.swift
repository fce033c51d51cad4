/// An expression of the predicate format language, the counterpart of `NSExpression`.
public indirect enum Expression: Hashable, Sendable {
    /// A constant.
    case constant(ConstantValue)
    /// `SELF`: the evaluated object.
    case evaluatedObject
    /// `$name`: the value of a variable.
    case variable(String)
    /// A key path on an operand; on `SELF` it is written alone. Use `keyPath(_:on:)` to make it, which joins nested
    /// ones.
    case keyPath(Expression, String)
    /// One of the predefined functions, by its selector: `sum:`, `add:to:`, `now`.
    case function(String, [Expression])
    /// A method called on the value of an expression: `FUNCTION(target, "selector:", argument)`.
    case invocation(target: Expression, selector: String, arguments: [Expression])
    /// `{a, b}`: a list of values.
    case aggregate([Expression])
    /// `a UNION b`: the result of a set operation on two collections.
    case set(SetOperation, Expression, Expression)
    /// `SUBQUERY(collection, $variable, predicate)`: the elements of a collection that satisfy a predicate.
    case subquery(collection: Expression, variable: String, predicate: Predicate)
    /// `TERNARY(predicate, then, otherwise)`: one of two values, depending on a predicate.
    case conditional(Predicate, then: Expression, otherwise: Expression)
    /// `FETCH(request, context, countOnly)`: the results of a request, or their number.
    case fetchRequest(request: Expression, context: Expression, countOnly: Bool)
    /// `$variable := expression`: an assignment of a value to a variable.
    case assignment(variable: String, Expression)
    /// `FIRST`, `LAST` or `SIZE`, as an index.
    case symbol(SymbolicIndex)
    /// `ANYKEY`.
    case anyKey

    /// Returns a key path on `SELF`.
    public static func keyPath(_ path: String) -> Expression {
        .keyPath(.evaluatedObject, path)
    }

    /// Returns a key path on an operand; if that is a key path, both are joined.
    public static func keyPath(_ path: String, on operand: Expression) -> Expression {
        if case .keyPath(let inner, let start) = operand {
            return .keyPath(inner, start + "." + path)
        }
        return .keyPath(operand, path)
    }
}

/// `Expression`, for files that also import Foundation, which has a type of that name.
public typealias FormatExpression = Expression
