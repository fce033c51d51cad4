import KeyedArchives
import PredicateExpressions
import SQLiteAccess
import Testing

/// Evaluates in Swift and in SQLite, for each person, and compares.
struct SQLComparison {
    var people: People
    private let compiler = SQLCompiler(
        PeopleSchema(), entity: PeopleSchema.person, alias: "p", rowVariables: ["source"],
        variables: ["seven": .integer(7), "nothing": .null], now: 500.25)
    /// How many expressions were compared, refused, and errors in both.
    private(set) var compared = 0
    private(set) var refused = 0
    private(set) var errors = 0

    init(seed: UInt64) throws {
        people = try People(seed: seed)
    }

    private enum Outcome: Equatable {
        case values([SQLiteValue])
        case error
    }

    /// The outcome that differs, as text; nil where both agree or the expression is refused.
    mutating func difference(_ expression: FormatExpression) throws -> String? {
        guard let fragment = try? compiler.compile(expression) else {
            refused += 1
            return nil
        }
        let program = try expression.compile(resolving: &people)
        return try difference(fragment, expression.format, hasChoices: expression.hasChoices) { people in
            try program.evaluate(in: people)
        }
    }

    mutating func difference(_ predicate: FormatPredicate) throws -> String? {
        guard let fragment = try? compiler.compile(predicate) else {
            refused += 1
            return nil
        }
        let program = try predicate.compile(resolving: &people)
        return try difference(fragment, predicate.format, hasChoices: true) { people in
            try program.evaluate(in: people).map { .boolean($0) } ?? .null
        }
    }

    private mutating func difference(
        _ fragment: SQLFragment, _ text: String, hasChoices: Bool, _ evaluate: (People) throws -> ExpressionValue
    ) throws -> String? {
        compared += 1
        let statement = try people.connection.prepare("SELECT \(fragment.text) FROM ZPERSON AS p WHERE p.Z_PK = ?999")
        for (number, parameter) in fragment.parameters.enumerated() {
            try statement.bind(parameter, at: Int32(number + 1))
        }
        for key in 1...People.count {
            people.current = ObjectReference(entity: Int32(PeopleSchema.person), key: key)
            var swift: SQLiteValue?
            do { swift = People.stored(try evaluate(people)) } catch is EvaluationError {}
            try statement.bind(.integer(key), at: 999)
            var sql: SQLiteValue?
            do {
                if try statement.step() { sql = statement.value(0) }
            } catch {}
            statement.reset()
            if swift == nil || sql == nil {
                // Whether a part is evaluated that does not matter is up to SQLite.
                if swift == nil, sql == nil {
                    errors += 1
                } else if !hasChoices {
                    return "\(text) of \(key): \(String(describing: swift)) and \(String(describing: sql))\n\(fragment.text)"
                }
            } else if let swift, let sql, !Self.isSame(swift, sql) {
                return "\(text) of \(key): \(swift) in Swift, \(sql) in SQL\n\(fragment.text)"
            }
        }
        return nil
    }

    /// Whole reals and integers are one: dates and sums of nothing are either.
    private static func isSame(_ left: SQLiteValue, _ right: SQLiteValue) -> Bool {
        switch (left, right) {
        case (.real(let real), .integer(let integer)), (.integer(let integer), .real(let real)):
            Double(integer) == real && real.magnitude < 0x1p53
        case (.text(let decimal), .real(let real)): DecimalNumber(String(decoding: decimal, as: UTF8.self)) == DecimalNumber("\(real)")
        case (.text(let decimal), .integer(let integer)): String(decoding: decimal, as: UTF8.self) == String(integer)
        default: left == right
        }
    }
}

extension FormatExpression {
    /// Whether a part may be left out of the evaluation.
    fileprivate var hasChoices: Bool {
        ["TERNARY", "SUBQUERY", "count"].contains { format.contains($0) }
    }
}
