extension SQLCompiler {
    /// A collection function, as an aggregate in a subselect.
    mutating func aggregate(
        _ function: CollectionFunction, of term: SQLTerm, _ place: Expression
    ) throws(SQLRefusal) -> SQLTerm {
        switch term {
        case .rows(let rows): return try aggregate(function, rows, place)
        case .list(let operands):
            if function == .count { return .value(Self.count(operands.count)) }
            return try aggregate(function, rows(of: operands, place), place)
        case .value(let operand):
            // A single value is a collection of it, and NULL an empty one.
            switch function {
            case .count:
                let operand = checked(operand)
                return .value(
                    SQLOperand(text: "(\(operand.text) IS NOT NULL)", kind: .integer, bounds: 0...1))
            default: throw refuse(place, "it is no collection")
            }
        }
    }

    private static func count(_ number: Int) -> SQLOperand {
        SQLOperand(text: "\(number)", kind: .integer, bounds: Int64(number)...Int64(number))
    }

    /// A list's elements as rows.
    private mutating func rows(of operands: [SQLOperand], _ place: Expression) throws(SQLRefusal) -> SQLRows {
        var kind = SQLValueKind.null
        for operand in operands where operand.kind != .null {
            guard !operand.mayBeWhole else { throw refuse(place, "the list has a sum in it that may be an integer") }
            guard kind == .null || kind == operand.kind else {
                throw refuse(place, "the list has \(kind.name) and \(operand.kind.name) in it")
            }
            kind = operand.kind
        }
        guard kind != .null else { throw refuse(place, "the list has no values") }
        let selects = operands.map { "SELECT \($0.text) AS v" }.joined(separator: " UNION ALL ")
        let alias = newAlias()
        return SQLRows(tables: ["(\(selects)) AS \(alias)"], value: "\(alias).v", kind: kind,
            bounds: kind == .integer ? Self.commonBounds(operands) : nil)
    }

    /// Between what all elements are; nil where it is not known of one.
    private static func commonBounds(_ operands: [SQLOperand]) -> ClosedRange<Int64>? {
        var lowest: Int64 = 0
        var highest: Int64 = 0
        for operand in operands where operand.kind != .null {
            // Sums of few integers of 32 bits are exact in a real.
            guard let bounds = operand.bounds, bounds.lowerBound >= -(1 << 40), bounds.upperBound <= 1 << 40 else {
                return nil
            }
            lowest = min(lowest, bounds.lowerBound)
            highest = max(highest, bounds.upperBound)
        }
        return lowest...highest
    }

    private mutating func aggregate(
        _ function: CollectionFunction, _ rows: SQLRows, _ place: Expression
    ) throws(SQLRefusal) -> SQLTerm {
        var rows = rows
        if function == .distinct {
            rows.isDistinct = true
            return .rows(rows)
        }
        if rows.isDistinct {
            let alias = newAlias()
            rows = SQLRows(
                tables: ["(SELECT DISTINCT \(rows.value) AS v \(rows.clauses())) AS \(alias)"], value: "\(alias).v",
                kind: rows.kind, bounds: rows.bounds)
        }
        func select(_ call: String) -> String { "(SELECT \(call) \(rows.clauses()))" }
        switch (function, rows.kind) {
        case (.count, _):
            // More rows than 2 to the 48th do not fit a file.
            return .value(SQLOperand(text: select("count(*)"), kind: .integer, bounds: 0...(1 << 48)))
        case (.sum, .integer), (.sum, .boolean):
            return .value(SQLOperand(text: select("ifnull(sum(\(rows.value)), 0)"), kind: .integer))
        case (.sum, .real):
            return .value(SQLOperand(text: select("ifnull(sum(\(rows.value)), 0)"), kind: .real, mayBeWhole: true))
        case (.average, .integer) where rows.bounds == nil:
            throw refuse(place, "SQLite rounds sums of large integers")
        case (.average, .integer), (.average, .boolean), (.average, .real):
            return .value(SQLOperand(text: select("avg(\(rows.value))"), kind: .real))
        case (.minimum, let kind) where kind.hasOrder:
            return .value(SQLOperand(text: select("min(\(rows.value))"), kind: kind))
        case (.maximum, let kind) where kind.hasOrder:
            return .value(SQLOperand(text: select("max(\(rows.value))"), kind: kind))
        case (.sum, .decimal), (.average, .decimal): throw refuse(place, "decimals are computed exactly, in Swift")
        case (.median, _), (.mode, _), (.standardDeviation, _): throw refuse(place, "SQLite has no such aggregate")
        case (.first, _), (.last, _): throw refuse(place, "rows have no order")
        default: throw refuse(place, "\(function.rawValue) is not for \(rows.kind.name)")
        }
    }
}

extension SQLValueKind {
    var hasOrder: Bool {
        switch self {
        case .null, .object: false
        default: true
        }
    }
}
