import PersistentStores
import PredicateExpressions
public import SQLiteAccess

/// Tests of values that require Swift, callable from the statements of a connection as `ferry_breaks(number, value)`.
public final class ValueTests {
    private static let function = "ferry_breaks"
    private static let lengthFunction = "ferry_units"

    private var tests: [(borrowing FunctionArguments) -> Bool] = []

    /// The rules that could not be evaluated, once per subject.
    public private(set) var unchecked: [(subject: String, reason: String)] = []

    /// Makes tests that statements of a connection can call. The connection must not use the functions after the tests
    /// have been deallocated.
    /// - Throws: `SQLiteError` if the connection is closed.
    public init(_ connection: Connection) throws(SQLiteError) {
        try connection.registerFunction(
            Self.function, argumentCount: 2, deterministic: true
        ) { [unowned self] arguments in
            let number = Int(arguments.integer(0))
            guard tests.indices.contains(number) else { return .null }
            return .integer(tests[number](arguments) ? 1 : 0)
        }
        try connection.registerFunction(Self.lengthFunction, argumentCount: 1, deterministic: true) { arguments in
            .integer(arguments.withBytes(0) { TextLength.units($0) })
        }
    }

    /// Returns the SQL for the length of a text in UTF-16 units.
    static func length(_ value: String) -> String { "\(lengthFunction)(\(value))" }

    /// Returns an SQL condition for values that violate a predicate; values for which it cannot be evaluated are
    /// recorded, and do not count.
    func condition(_ rule: PredicateRule, _ value: String, subject: String) -> String {
        condition(value) { [unowned self] arguments in
            do {
                let context = RecordContext([ExpressionValue(stored: arguments.value(1), kind: rule.kind)])
                return try rule.program.evaluate(in: context) == false
            } catch {
                note(subject, "\(error)")
                return false
            }
        }
    }

    /// Records that a predicate or an expression of the model could not be evaluated.
    public func note(_ subject: String, _ reason: String) {
        if !unchecked.contains(where: { $0.subject == subject }) { unchecked.append((subject, reason)) }
    }

    /// Returns an SQL condition for existing values for which a test is true; the value is the second argument.
    public func condition(_ value: String, _ test: @escaping (borrowing FunctionArguments) -> Bool) -> String {
        tests.append(test)
        return "\(value) IS NOT NULL AND \(Self.function)(\(tests.count - 1), \(value))"
    }
}
