public import SQLiteAccess

/// An expression in two parts: the largest parts that SQL can compute, and the rest for Swift.
public struct SQLPartition: Sendable {
    /// A part in SQL. A collection is packed into one value, which `PackedValues` unpacks.
    public struct Argument: Hashable, Sendable {
        /// Its name in the expression, as a path from the row's variable.
        public let name: String
        /// The SQL of the part.
        public let value: SQLFragment
        /// Whether the part has several values, packed into one.
        public let isCollection: Bool
        /// Whether it is the exact sum or average of decimals, as text; an empty sum is an integer.
        let isDecimalText: Bool

        /// Returns the type of its value, or of each of its elements.
        public func kind(of value: SQLiteValue) -> SQLValueKind {
            if isDecimalText, case .integer = value { .integer } else { self.value.kind }
        }
    }

    /// The expression, whose paths from the row's variable are the arguments' names.
    public let expression: Expression
    /// The parts that SQL computes, in the order of their first use.
    public let arguments: [Argument]
}

extension SQLCompiler {
    /// Splits an expression that cannot be compiled to SQL as a whole.
    ///
    /// - Parameters:
    ///   - expression: the expression.
    ///   - variable: the variable at which the arguments' names begin in the result.
    /// - Throws: `SQLRefusal` if a part needs the row's objects themselves.
    public func partition(_ expression: Expression, variable: String) throws(SQLRefusal) -> SQLPartition {
        var splitter = SQLPartitioner(compiler: self, variable: variable)
        let rest = try splitter.split(expression)
        return SQLPartition(expression: rest, arguments: splitter.arguments)
    }

    /// Returns the part as one value for Swift. Throws `SQLRefusal`.
    ///
    /// Sums of decimals are exact texts here, which no other part of an SQL expression could use.
    func argument(_ part: Expression, name: String) throws(SQLRefusal) -> SQLPartition.Argument {
        var compiler = self
        compiler.givesDecimalTexts = true
        let term = try compiler.term(part)
        let operand: SQLOperand
        var isCollection = false
        switch term {
        case .value(let value): operand = compiler.checked(value)
        case .rows(let rows):
            isCollection = true
            operand = compiler.packed(rows)
        case .list: throw refuse(part, "a list of values is built in Swift")
        }
        if case .object = operand.kind { throw refuse(part, "SQL returns no objects") }
        if let text = compiler.decimalText, text != operand.text {
            throw refuse(part, "decimals are computed exactly, in Swift")
        }
        return SQLPartition.Argument(
            name: name, value: compiler.fragment(operand), isCollection: isCollection,
            isDecimalText: compiler.decimalText != nil)
    }

    private mutating func packed(_ rows: SQLRows) -> SQLOperand {
        var rows = rows
        if rows.isDistinct {
            let alias = newAlias()
            rows = SQLRows(
                tables: ["(SELECT DISTINCT \(rows.value) AS v \(rows.clauses())) AS \(alias)"], value: "\(alias).v",
                kind: rows.kind)
        }
        let call = function(SQLFunction.pack, rows.value, rows.order ?? "NULL")
        return SQLOperand(text: "(SELECT \(call) \(rows.clauses()))", kind: rows.kind)
    }
}
