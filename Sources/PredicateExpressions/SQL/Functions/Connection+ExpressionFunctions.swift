import KeyedArchives
public import SQLiteAccess

extension Connection {
    /// Registers the functions that compiled expressions call. Once per connection is sufficient.
    /// - Throws: `SQLiteError` if the connection is closed.
    public func registerExpressionFunctions() throws(SQLiteError) {
        for function in NumberFunction.allCases {
            try registerFunction(SQLFunction.name(function), argumentCount: 1, deterministic: true) { arguments in
                try function.apply(arguments.expressionValue(0)).sqliteValue
            }
        }
        for function in TextFunction.allCases {
            try registerFunction(SQLFunction.name(function), argumentCount: 1, deterministic: true) { arguments in
                try function.apply(arguments.expressionValue(0)).sqliteValue
            }
        }
        try register(SQLFunction.modulus, .modulus)
        try register(SQLFunction.power, .power)
        try register(SQLFunction.exclusiveOr, .bitwiseXor)
        try register(SQLFunction.contains, .contains)
        try register(SQLFunction.beginsWith, .beginsWith)
        try register(SQLFunction.endsWith, .endsWith)
        try register(SQLFunction.like, isRegular: false)
        try register(SQLFunction.matches, isRegular: true)
        try registerConversions()
        for function in SQLFunction.aggregates {
            try registerAggregate(SQLFunction.name(function), argumentCount: 1) { NumberAggregate(function) }
        }
        try registerAggregate(SQLFunction.decimalSum, argumentCount: 1) { DecimalAggregate(isAverage: false) }
        try registerAggregate(SQLFunction.decimalAverage, argumentCount: 1) { DecimalAggregate(isAverage: true) }
        try registerAggregate(SQLFunction.pack, argumentCount: 2) { PackedCollection() }
        try registerFunction(SQLFunction.sortKey, argumentCount: 2, deterministic: true) { arguments in
            guard !arguments.isNull(0), let order = TextSortKey.Order(rawValue: arguments.string(1)) else {
                return .null
            }
            return .blob(TextSortKey.bytes(arguments.string(0), order))
        }
    }

    private func registerConversions() throws(SQLiteError) {
        try registerFunction(SQLFunction.integer, argumentCount: 1, deterministic: true) { arguments in
            switch arguments.storageClass(0) {
            case .null: return .null
            case .integer: return .integer(arguments.integer(0))
            default: throw EvaluationFault(.overflow, "the result of a sum or product does not fit 64 bits")
            }
        }
        try registerFunction(SQLFunction.fold, argumentCount: 2, deterministic: true) { arguments in
            guard !arguments.isNull(0) else { return .null }
            return .string(TextFolding.folded(arguments.string(0), arguments.options(1)))
        }
        try registerFunction(SQLFunction.cast, argumentCount: 3, deterministic: true) { arguments in
            guard let target = CastTarget(rawValue: arguments.string(2)) else { return .null }
            return try target.convert(arguments.expressionValue(0, kind: arguments.string(1))).sqliteValue
        }
    }

    private func register(_ name: String, _ function: ArithmeticOperator) throws(SQLiteError) {
        try registerFunction(name, argumentCount: 2, deterministic: true) { arguments in
            try function.apply(arguments.expressionValue(0), arguments.expressionValue(1)).sqliteValue
        }
    }

    private func register(_ name: String, _ comparison: ComparisonOperator) throws(SQLiteError) {
        try registerFunction(name, argumentCount: 3, deterministic: true) { arguments in
            guard !arguments.isNull(0), !arguments.isNull(1) else { return .null }
            let holds = TextComparison.holds(comparison, arguments.string(0), arguments.string(1), arguments.options(2))
            return .integer(holds ? 1 : 0)
        }
    }

    private func register(_ name: String, isRegular: Bool) throws(SQLiteError) {
        try registerFunction(name, argumentCount: 3, deterministic: true) { arguments in
            guard !arguments.isNull(0), !arguments.isNull(1) else { return .null }
            let pattern = try TextPattern.cached(
                arguments.string(1), isRegular: isRegular, options: arguments.options(2))
            return .integer(try pattern.matches(arguments.string(0)) ? 1 : 0)
        }
    }
}

extension FunctionArguments {
    fileprivate func options(_ index: Int) -> ComparisonOptions {
        ComparisonOptions(rawValue: Int(truncatingIfNeeded: integer(index)))
    }

    /// Returns the argument, by its storage class, or with the type known to the compiler.
    func expressionValue(_ index: Int, kind: String = "") -> ExpressionValue {
        switch storageClass(index) {
        case .null: .null
        case .integer: kind == "date" ? .date(real(index)) : .integer(integer(index))
        case .real: kind == "date" ? .date(real(index)) : .real(real(index))
        case .text: .string(string(index))
        case .blob:
            kind == "uuid" ? .uuid(value(index).blob ?? []) : .data(value(index).blob ?? [])
        }
    }
}

extension ExpressionValue {
    /// The value as the result of an SQL function; decimals as text, so that they stay exact.
    public var sqliteValue: SQLiteValue {
        switch self {
        case .boolean(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .real(let value), .date(let value): .real(value)
        case .string(let text), .url(let text), .className(let text): .string(text)
        case .data(let bytes), .uuid(let bytes): .blob(bytes)
        case .decimal(let value): .string(value.description)
        case .null, .object, .array, .set, .host: .null
        }
    }
}
