extension SQLCompiler {
    /// Returns a collection function as an aggregate in a subselect.
    mutating func aggregate(
        _ function: CollectionFunction, of term: SQLTerm, _ place: Expression
    ) throws(SQLRefusal) -> SQLTerm {
        switch term {
        case .rows(let rows): return try aggregate(function, rows, place)
        case .list(let operands):
            if function == .count { return .value(Self.count(operands.count)) }
            guard operands.count <= Self.maximumCount else { throw refuse(place, "the list has too many elements") }
            return try aggregate(function, rows(of: operands, place), place)
        case .value(let operand):
            // A single value is a collection of one, and NULL is an empty one.
            switch function {
            case .count:
                let operand = checked(operand)
                return .value(
                    SQLOperand(text: "(\(operand.text) IS NOT NULL)", kind: .integer, bounds: 0...1))
            default: throw refuse(place, "it is not a collection")
            }
        }
    }

    private static func count(_ number: Int) -> SQLOperand {
        SQLOperand(text: "\(number)", kind: .integer, bounds: Int64(number)...Int64(number))
    }

    /// Returns a list's elements as rows.
    private mutating func rows(of operands: [SQLOperand], _ place: Expression) throws(SQLRefusal) -> SQLRows {
        var kind = SQLValueKind.null
        for operand in operands where operand.kind != .null {
            guard !operand.mayBeWhole else { throw refuse(place, "the list has a sum that may be an integer") }
            guard kind == .null || kind == operand.kind else {
                throw refuse(place, "the list mixes \(kind.name) and \(operand.kind.name)")
            }
            kind = operand.kind
        }
        guard kind != .null else { throw refuse(place, "the list has no values") }
        let selects = operands.map { "SELECT \($0.text) AS v" }.joined(separator: " UNION ALL ")
        let alias = newAlias()
        return SQLRows(
            tables: ["(\(selects)) AS \(alias)"], value: "\(alias).v", kind: kind,
            bounds: kind == .integer ? Self.commonBounds(operands) : nil)
    }

    private mutating func call(_ function: CollectionFunction, _ rows: SQLRows) -> String {
        // Of the aggregates, only the sum of integers can overflow.
        self.function(SQLFunction.name(function), rows.value, mayFail: function == .sum && rows.kind == .integer)
    }

    /// Returns the range of all elements; nil if that of any element is unknown.
    private static func commonBounds(_ operands: [SQLOperand]) -> ClosedRange<Int64>? {
        var lowest: Int64 = 0
        var highest: Int64 = 0
        for operand in operands where operand.kind != .null {
            guard let bounds = operand.bounds else { return nil }
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
        // SQLite's own sum is exact if all integers are small.
        let isSmall = rows.kind == .boolean || rows.bounds?.isSmall == true
        func select(_ call: String) -> String { "(SELECT \(call) \(rows.clauses()))" }
        switch (function, rows.kind) {
        case (.count, _):
            // A file cannot contain more than 2 to the 48th rows.
            return .value(SQLOperand(text: select("count(*)"), kind: .integer, bounds: 0...(1 << 48)))
        case (.sum, .boolean), (.sum, .integer):
            let sum = isSmall ? "ifnull(sum(\(rows.value)), 0)" : call(.sum, rows)
            return .value(SQLOperand(text: select(sum), kind: .integer))
        case (.sum, .real):
            return .value(SQLOperand(text: select(call(.sum, rows)), kind: .real, mayBeWhole: true))
        case (.average, .boolean), (.average, .integer):
            let average = isSmall ? "avg(\(rows.value))" : call(.average, rows)
            return .value(SQLOperand(text: select(average), kind: .real))
        case (.average, .real), (.median, .boolean), (.median, .integer), (.median, .real),
            (.standardDeviation, .boolean), (.standardDeviation, .integer), (.standardDeviation, .real):
            return .value(SQLOperand(text: select(call(function, rows)), kind: .real))
        case (.minimum, let kind) where kind.hasOrder:
            return .value(SQLOperand(text: select("min(\(rows.value))"), kind: kind))
        case (.maximum, let kind) where kind.hasOrder:
            return .value(SQLOperand(text: select("max(\(rows.value))"), kind: kind))
        case (.sum, .decimal) where givesDecimalTexts, (.average, .decimal) where givesDecimalTexts:
            let name = function == .sum ? SQLFunction.decimalSum : SQLFunction.decimalAverage
            let text = select(self.function(name, rows.value))
            decimalText = text
            return .value(SQLOperand(text: text, kind: .decimal))
        case (.sum, .decimal), (.average, .decimal), (.median, .decimal), (.standardDeviation, .decimal):
            throw refuse(place, "decimals are computed exactly, in Swift")
        case (.mode, _): throw refuse(place, "its value is a collection")
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

extension ClosedRange<Int64> {
    /// Whether sums of millions of values are exact, in integers and in reals: the range of 32 bits.
    var isSmall: Bool { lowerBound >= -(1 << 31) && upperBound <= 1 << 31 }
}
