extension SQLCompiler {
    mutating func function(
        _ selector: String, _ arguments: [Expression], _ place: Expression
    ) throws(SQLRefusal) -> SQLTerm {
        guard PredefinedFunction.argumentCount(of: selector) == arguments.count else {
            throw refuse(place, "the number of arguments is wrong")
        }
        switch arguments.count {
        case 0:
            guard selector == "now" else { throw refuse(place, "each evaluation has another value") }
            return .value(try currentDate(place))
        case 1: return try unary(selector, arguments[0], place)
        default:
            if let function = ArithmeticOperator(rawValue: selector) {
                // Before the left side only parentheses are open, so long sums are not deep.
                let left = try value(arguments[0], cost: 2)
                return .value(try arithmetic(function, left, value(arguments[1]), place))
            }
            guard selector == PredefinedFunction.cast else { throw refuse(place, "it is computed in Swift") }
            guard case .constant(.string(let name)) = arguments[1], let target = CastTarget(rawValue: name) else {
                throw refuse(place, "nothing can be cast to this type")
            }
            return .value(try cast(checkedValue(arguments[0]), target, place))
        }
    }

    private mutating func unary(
        _ selector: String, _ argument: Expression, _ place: Expression
    ) throws(SQLRefusal) -> SQLTerm {
        if let function = CollectionFunction(rawValue: selector) {
            return try aggregate(function, of: term(argument), place)
        }
        if selector == TextFunction.noindex.rawValue {
            guard case .value(var operand) = try term(argument) else {
                throw refuse(place, "it is for a single value")
            }
            // Only a literal NULL makes a comparison a test for NULL.
            operand.asksForNull = false
            return .value(operand)
        }
        guard NumberFunction(rawValue: selector) != nil || TextFunction(rawValue: selector) != nil else {
            throw refuse(place, "each evaluation has another value")
        }
        let operand = try checkedValue(argument)
        if operand.kind == .null { return .value(.nothing) }
        if let function = TextFunction(rawValue: selector) {
            guard operand.kind == .string else { throw refuse(place, "\(selector) is not for \(operand.kind.name)") }
            return .value(
                SQLOperand(
                    text: self.function(SQLFunction.name(function), operand.text),
                    kind: function == .length ? .integer : .string))
        }
        guard let function = NumberFunction(rawValue: selector) else { throw refuse(place, "it is unknown") }
        return .value(try number(function, operand, place))
    }

    private mutating func number(
        _ function: NumberFunction, _ operand: SQLOperand, _ place: Expression
    ) throws(SQLRefusal) -> SQLOperand {
        switch (function, operand.kind) {
        case (.absolute, .integer), (.absolute, .boolean):
            // In SQLite, the lowest integer is an error, too.
            if operand.kind == .integer, operand.bounds.map({ $0.lowerBound == .min }) ?? true { mayFail = true }
            return SQLOperand(text: "abs(\(operand.text))", kind: .integer)
        case (.absolute, .real):
            return SQLOperand(text: "abs(\(operand.text))", kind: .real, mayBeWhole: operand.mayBeWhole)
        case (.ceiling, .integer), (.floor, .integer), (.truncated, .integer), (.ceiling, .boolean),
            (.floor, .boolean), (.truncated, .boolean):
            return SQLOperand(text: operand.text, kind: .integer, bounds: operand.bounds)
        case (.complement, .integer), (.complement, .boolean):
            return SQLOperand(text: "(~\(operand.text))", kind: .integer)
        case (.complement, _): throw refuse(place, "~ is for integers only")
        case (_, .integer), (_, .boolean), (_, .real):
            return SQLOperand(
                text: self.function(SQLFunction.name(function), operand.text), kind: .real,
                mayBeWhole: operand.mayBeWhole)
        case (_, .decimal): throw refuse(place, "decimals are computed exactly, in Swift")
        default: throw refuse(place, "\(function.rawValue) is not for \(operand.kind.name)")
        }
    }

    // MARK: Casts

    mutating func cast(
        _ operand: SQLOperand, _ target: CastTarget, _ place: Expression
    ) throws(SQLRefusal) -> SQLOperand {
        switch (target, operand.kind) {
        case (_, .null): return .nothing
        case (.string, .string), (.date, .date), (.uuid, .uuid), (.url, .url), (.data, .data), (.number, .integer),
            (.number, .real), (.number, .boolean):
            return SQLOperand(
                text: operand.text, kind: operand.kind, bounds: operand.bounds, mayBeWhole: operand.mayBeWhole)
        case (.string, .url): return SQLOperand(text: operand.text, kind: .string)
        case (.url, .string): return SQLOperand(text: operand.text, kind: .url)
        case (.data, .uuid): return SQLOperand(text: operand.text, kind: .data)
        case (.string, .integer), (.string, .boolean):
            return SQLOperand(text: "CAST(\(operand.text) AS TEXT)", kind: .string)
        case (.number, .date): return SQLOperand(text: "CAST(\(operand.text) AS REAL)", kind: .real)
        case (.date, .real): return SQLOperand(text: operand.text, kind: .date)
        case (.date, .integer), (.date, .boolean): return SQLOperand(text: "CAST(\(operand.text) AS REAL)", kind: .date)
        case (.string, .real), (.string, .date), (.string, .uuid), (.date, .string), (.uuid, .string),
            (.uuid, .data), (.data, .string):
            guard let source = SQLFunction.code(operand.kind), let kind = SQLFunction.kind(of: target) else {
                throw refuse(place, "it is converted in Swift")
            }
            // For a constant it is known whether it fails; otherwise only numbers and UUIDs always have a text.
            let isSafe =
                operand.constant.map { (try? target.convert($0)) != nil }
                ?? (target == .string && operand.kind != .date)
            let text = function(
                SQLFunction.cast, operand.text, "'\(source)'", "'\(target.rawValue)'", mayFail: !isSafe)
            return SQLOperand(text: text, kind: kind)
        case (_, .decimal), (.decimal, _): throw refuse(place, "decimals are computed exactly, in Swift")
        case (.number, .string): throw refuse(place, "only Swift tells whether it is an integer")
        default: throw refuse(place, "\(operand.kind.name) is not made a \(target.rawValue)")
        }
    }
}

extension SQLOperand {
    /// A computed NULL, as opposed to a literal one.
    static let nothing = SQLOperand(text: "NULL", kind: .null)
}
