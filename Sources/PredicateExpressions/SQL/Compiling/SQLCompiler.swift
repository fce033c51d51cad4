import SQLiteAccess

/// Compiles predicates and expressions to SQL over the rows of one entity's table.
///
/// The SQL has the same results as the evaluation in Swift. Parts that SQLite would compute differently, or not at all,
/// are refused, with the reason. The compiler makes aliases that begin with the row's alias and `_`.
public struct SQLCompiler<Schema: SQLSchema>: Sendable {
    let schema: Schema
    private let entity: Int
    private let alias: String
    /// The variables that stand for the row, such as `$source`.
    private let rowVariables: Set<String>
    /// Variables that stand for rows of other tables of the statement.
    private let otherRows: [String: SQLRow]
    private let variables: [String: ConstantValue]
    private let now: Double?
    private let firstParameter: Int

    /// The limits of a condition.
    package var limits = SQLLimits()
    private(set) var parameters: [SQLiteValue] = []
    private var aliasCount = 0
    private(set) var depth = 0
    /// The greatest depth so far of the condition that is being compiled.
    var deepest = 0
    /// The depth of the enclosing chains.
    var chainDepth = 0
    var usesFunctions = false
    /// Whether evaluating the condition or expression can fail.
    var mayFail = false
    /// Whether the exact text of a decimal may be the result.
    var givesDecimalTexts = false
    /// The SQL of the decimal that is a text; there is at most one.
    var decimalText: String?
    /// The variables of the enclosing subqueries with their meanings, the innermost one last.
    var locals: [(name: String, term: SQLLocal)] = []

    /// The maximum depth: SQLite's parser has a stack of a hundred symbols, some of which are for the enclosing
    /// statement. A level takes as many as are open before its deepest part.
    private static var maximumDepth: Int { 80 }
    /// The maximum length of a chain: a chain of AND is as deep as it is long, and SQLite allows a thousand levels. A
    /// compound SELECT has at most 500.
    static var maximumCount: Int { 200 }
    /// The maximum total depth of all chains around a part; the remaining levels are for its content.
    static var maximumChainDepth: Int { 700 }
    /// The number of open symbols before a group of a longer chain.
    static var groupCost: Int { 3 }
    /// The number of open symbols before a part that is evaluated in order: `(a AND CASE WHEN (`.
    private static var guardCost: Int { 6 }
    /// The maximum size of a condition in bytes: such a CASE contains its parts twice, and grows with the nesting.
    private static var maximumLength: Int { 1 << 18 }

    /// Prepares to compile over the rows of an entity's table.
    /// - Parameters:
    ///   - schema: the tables and columns of entities and properties.
    ///   - entity: the schema's number of the entity.
    ///   - alias: the alias of the entity's table in the statement.
    ///   - rowVariables: variables that stand for the row itself.
    ///   - otherRows: variables that stand for rows of other tables of the statement.
    ///   - variables: values of other variables, which become parameters.
    ///   - now: the value of `now()`, in seconds since 2001.
    ///   - firstParameter: the number of the first unused parameter in the statement.
    public init(
        _ schema: Schema, entity: Int, alias: String, rowVariables: Set<String> = [],
        otherRows: [String: SQLRow] = [:], variables: [String: ConstantValue] = [:], now: Double? = nil,
        firstParameter: Int = 1
    ) {
        self.schema = schema
        self.entity = entity
        self.alias = alias
        self.rowVariables = rowVariables
        self.otherRows = otherRows
        self.variables = variables
        self.now = now
        self.firstParameter = firstParameter
    }

    /// Returns the expression as SQL.
    /// - Throws: `SQLRefusal`, with the part that SQL cannot compute, and the reason.
    public func compile(_ expression: Expression) throws(SQLRefusal) -> SQLFragment {
        var compiler = self
        let operand = try compiler.checked(compiler.value(expression))
        return compiler.fragment(operand)
    }

    /// Returns the predicate as SQL.
    /// - Throws: `SQLRefusal`, with the part that SQL cannot compute, and the reason.
    public func compile(_ predicate: Predicate) throws(SQLRefusal) -> SQLFragment {
        var compiler = self
        let text = try compiler.condition(predicate).text
        return compiler.fragment(SQLOperand(text: text, kind: .boolean))
    }

    func fragment(_ operand: SQLOperand) -> SQLFragment {
        SQLFragment(
            text: operand.text, parameters: parameters, kind: operand.kind, usesFunctions: usesFunctions,
            mayFail: mayFail)
    }

    // MARK: Parts

    mutating func parameter(_ value: SQLiteValue) -> String {
        parameters.append(value)
        return "?\(firstParameter + parameters.count - 1)"
    }

    mutating func newAlias() -> String {
        aliasCount += 1
        return "\(alias)_\(aliasCount)"
    }

    func refuse(_ part: Expression, _ reason: String) -> SQLRefusal {
        SQLRefusal(part: part.format, reason: reason)
    }

    /// - Parameter mayFail: whether the function fails for some arguments.
    mutating func function(_ name: String, _ arguments: String..., mayFail: Bool = false) -> String {
        usesFunctions = true
        if mayFail { self.mayFail = true }
        return name + "(" + arguments.joined(separator: ", ") + ")"
    }

    /// Returns an integer sum that fails if it has overflowed.
    mutating func checked(_ operand: SQLOperand) -> SQLOperand {
        guard operand.isUnchecked else { return operand }
        return SQLOperand(text: function(SQLFunction.integer, operand.text, mayFail: true), kind: .integer)
    }

    // MARK: Terms

    /// Returns a single value; collections are refused.
    mutating func value(_ expression: Expression, cost: Int = operandCost) throws(SQLRefusal) -> SQLOperand {
        guard case .value(let operand) = try term(expression, cost: cost) else {
            throw refuse(expression, "it is a collection where a single value is needed")
        }
        return operand
    }

    /// Returns a single value that is not an unchecked sum.
    mutating func checkedValue(_ expression: Expression) throws(SQLRefusal) -> SQLOperand {
        checked(try value(expression))
    }

    /// The number of open symbols before an operand: at most `ferry_integer((a +`.
    static var operandCost: Int { 6 }

    /// Reserves space on the parser's stack, which must be released.
    mutating func descend(_ cost: Int, into part: FormatNode) throws(SQLRefusal) {
        depth += cost
        deepest = max(deepest, depth)
        guard depth <= Self.maximumDepth else {
            throw SQLRefusal(part: part.format, reason: "it is nested too deeply for SQLite")
        }
    }

    /// Reserves space for an expression around parts that have already been compiled: a CASE, so that they are
    /// evaluated in order.
    mutating func enclose(_ part: FormatNode, _ text: String) throws(SQLRefusal) {
        deepest += Self.guardCost
        guard deepest <= Self.maximumDepth, text.utf8.count <= Self.maximumLength else {
            throw SQLRefusal(part: part.format, reason: "it is nested too deeply for SQLite")
        }
    }

    mutating func ascend(_ cost: Int) {
        depth -= cost
    }

    mutating func term(_ expression: Expression, cost: Int = operandCost) throws(SQLRefusal) -> SQLTerm {
        try descend(cost, into: .expression(expression))
        defer { ascend(cost) }
        switch expression {
        case .constant(let constant): return try self.constant(ExpressionValue(constant), expression)
        case .evaluatedObject, .variable, .keyPath: return try path(expression)
        case .function(let selector, let arguments): return try function(selector, arguments, expression)
        case .aggregate(let elements):
            guard elements.count <= limits.elements else { throw refuse(expression, "it has too many elements") }
            var operands: [SQLOperand] = []
            for element in elements {
                operands.append(try checkedValue(element))
            }
            return .list(operands)
        case .subquery(let collection, let variable, let predicate):
            return .rows(try subquery(collection, variable, predicate))
        case .conditional(let predicate, let first, let second):
            return .value(try conditional(predicate, first, second, expression))
        case .invocation(let target, "valueForKey:", let arguments),
            .invocation(let target, "valueForKeyPath:", let arguments):
            guard case .constant(.string(let name))? = arguments.first, arguments.count == 1 else {
                throw refuse(expression, "the key is not a constant")
            }
            return try path(.keyPath(name, on: target))
        case .invocation(let target, let selector, let arguments):
            guard case .className(let name) = target.methodTarget,
                let plain = ClassMethod.plain(name, selector, arguments)
            else { throw refuse(expression, "methods are called in Swift") }
            return try term(plain)
        case .fetchRequest: throw refuse(expression, "it fetches objects")
        case .set: throw refuse(expression, "operations on sets are done in Swift")
        case .assignment, .symbol, .anyKey: throw refuse(expression, "it has no meaning for rows")
        }
    }

    private mutating func conditional(
        _ predicate: Predicate, _ first: Expression, _ second: Expression, _ place: Expression
    ) throws(SQLRefusal) -> SQLOperand {
        let condition = try condition(predicate).text
        let (one, other) = (try checkedValue(first), try checkedValue(second))
        guard one.kind == other.kind || one.kind == .null || other.kind == .null else {
            throw refuse(place, "its two values are \(one.kind.name) and \(other.kind.name)")
        }
        return SQLOperand(
            text: "CASE WHEN \(condition) THEN \(one.text) ELSE \(other.text) END",
            kind: one.kind == .null ? other.kind : one.kind, mayBeWhole: one.mayBeWhole || other.mayBeWhole)
    }

    private mutating func subquery(
        _ collection: Expression, _ variable: String, _ predicate: Predicate
    ) throws(SQLRefusal) -> SQLRows {
        guard case .rows(var rows) = try term(collection), !rows.isDistinct else {
            throw refuse(collection, "only to-many relationships can be searched in SQL")
        }
        let local: SQLLocal =
            if case .object(let entity) = rows.kind, let alias = rows.objectAlias(schema.table(of: entity)) {
                .row(alias: alias, entity: entity)
            } else {
                .value(SQLOperand(text: rows.value, kind: rows.kind))
            }
        locals.append((variable, local))
        defer { locals.removeLast() }
        let condition = try condition(predicate)
        rows.add(condition)
        if condition.mayFail { try enclose(.predicate(predicate), condition.text) }
        return rows
    }

    // MARK: Names

    /// Returns the meaning of a key path's start.
    func start(_ operand: Expression) -> SQLLocal? {
        switch operand {
        case .evaluatedObject: .row(alias: alias, entity: entity)
        case .variable(let name):
            locals.last { $0.name == name }?.term
                ?? (rowVariables.contains(name) ? .row(alias: alias, entity: entity) : nil)
                ?? otherRows[name].map { .row(alias: $0.alias, entity: $0.entity) }
        default: nil
        }
    }

    func substitute(for variable: String) -> ConstantValue? { variables[variable] }

    /// Returns the value of `now()`, as a parameter.
    mutating func currentDate(_ place: Expression) throws(SQLRefusal) -> SQLOperand {
        guard let now else { throw refuse(place, "the current date is not given") }
        return SQLOperand(text: parameter(.real(now)), kind: .date, constant: .date(now))
    }
}

/// A row of a statement: the alias of the table, and the number of its entity.
public struct SQLRow: Sendable, Hashable {
    /// The alias of the table in the statement.
    public let alias: String
    /// The schema's number for the entity.
    public let entity: Int

    /// Makes a row from an alias and an entity.
    public init(alias: String, entity: Int) {
        self.alias = alias
        self.entity = entity
    }
}

/// The meaning of a name within a statement.
enum SQLLocal: Sendable {
    case row(alias: String, entity: Int)
    case value(SQLOperand)
}

extension SQLRows {
    /// Returns the alias of the table whose primary key the value is.
    fileprivate func objectAlias(_ table: SQLTable) -> String? {
        let ending = "." + table.primaryKey
        return value.hasSuffix(ending) ? String(value.dropLast(ending.count)) : nil
    }
}
