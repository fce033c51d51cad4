import KeyedArchives
import PredicateExpressions
import SQLiteAccess
import Testing

/// Evaluates in Swift and in SQLite, for each person, and compares.
struct SQLComparison {
    var people: People
    private var compiler = SQLCompiler(
        PeopleSchema(), entity: PeopleSchema.person, alias: "p", rowVariables: ["source"],
        variables: ["seven": .integer(7), "nothing": .null], now: 500.25)
    /// How many expressions were compared, refused, and errors in both.
    private(set) var compared = 0
    private(set) var refused = 0
    private(set) var errors = 0
    /// How many of those that were refused are half SQL and half Swift.
    private(set) var divided = 0

    init(seed: UInt64, limits: SQLLimits = SQLLimits()) throws {
        people = try People(seed: seed)
        compiler.limits = limits
    }

    private enum Outcome: Equatable {
        case values([SQLiteValue])
        case error
    }

    /// The outcome that differs, as text; nil if both agree or the expression is refused.
    mutating func difference(_ expression: FormatExpression) throws -> String? {
        guard let fragment = try? compiler.compile(expression) else {
            refused += 1
            return try partitionDifference(expression)
        }
        let program = try expression.compile(resolving: &people)
        return try difference(fragment, expression.format, hasChoices: expression.hasChoices) { people in
            try program.evaluate(in: people)
        }
    }

    mutating func difference(_ predicate: FormatPredicate) throws -> String? {
        guard let fragment = try? compiler.compile(predicate) else {
            refused += 1
            return try partitionDifference(
                .conditional(predicate, then: .constant(.integer(1)), otherwise: .constant(.integer(0))))
        }
        let program = try predicate.compile(resolving: &people)
        return try difference(fragment, predicate.format, hasChoices: true) { people in
            try program.evaluate(in: people).map { .boolean($0) } ?? .null
        }
    }

    /// What is half SQL and half Swift gives what Swift alone gives.
    private mutating func partitionDifference(_ expression: FormatExpression) throws -> String? {
        // Other variables are for whoever evaluates the rest.
        guard !expression.format.contains("$seven"), !expression.format.contains("$nothing"),
            let parts = try? compiler.partition(expression, variable: "source"),
            let program = try? expression.compile(resolving: &people)
        else { return nil }
        divided += 1
        var names = RecordNames(parts.arguments.map(\.name), variables: ["source"])
        let rest = try parts.expression.compile(resolving: &names)
        var context = RecordContext(Array(repeating: .null, count: parts.arguments.count), now: people.now)
        for key in 1...People.count {
            people.current = ObjectReference(entity: Int32(PeopleSchema.person), key: key)
            let swift = Result { try program.evaluate(in: people) }
            let divided = Result {
                for (index, argument) in parts.arguments.enumerated() {
                    context.values[index] = try value(of: argument, key)
                }
                return try rest.evaluate(in: context)
            }
            switch (swift, divided) {
            case (.failure, .failure): errors += 1
            case (.success(let swift), .success(let divided)) where Self.isSame(swift, divided): break
            // What is not needed is evaluated or not.
            case (.success, .failure), (.failure, .success): guard !expression.hasChoices else { break }; fallthrough
            default:
                return "\(expression.format) of \(key): \(swift) in Swift, \(divided) as \(parts.expression.format)"
            }
        }
        return nil
    }

    private func value(of argument: SQLPartition.Argument, _ key: Int64) throws -> ExpressionValue {
        let statement = try people.connection.prepare(
            "SELECT \(argument.value.text) FROM ZPERSON AS p WHERE p.Z_PK = ?999")
        for (number, parameter) in argument.value.parameters.enumerated() {
            try statement.bind(parameter, at: Int32(number + 1))
        }
        try statement.bind(.integer(key), at: 999)
        guard try statement.step() else { return .null }
        let kind = argument.kind(of: statement.value(0))
        guard argument.isCollection else { return People.value(statement.value(0), kind) }
        return .array(PackedValues.unpacked(statement.value(0)).map { People.value($0, kind) })
    }

    /// A sum of no decimals is an integer where nothing says that it is of decimals; sets have no order.
    private static func isSame(_ left: ExpressionValue, _ right: ExpressionValue) -> Bool {
        if let left = left.elements, let right = right.elements {
            return left.count == right.count
                && left.map { "\(People.stored($0))" }.sorted() == right.map { "\(People.stored($0))" }.sorted()
        }
        return isSame(People.stored(left), People.stored(right))
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
                // What Swift does not look at SQL must not fail for; what does not matter SQL may pass over.
                if swift == nil, sql == nil {
                    errors += 1
                } else if !hasChoices || swift != nil {
                    return
                        "\(text) of \(key): \(String(describing: swift)) and \(String(describing: sql))\n\(fragment.text)"
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
        case (.text(let decimal), .real(let real)):
            DecimalNumber(String(decoding: decimal, as: UTF8.self)) == DecimalNumber("\(real)")
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
