/// Forms that look like functions but are not: `FUNCTION(...)`, `CAST(...)`, `SUBQUERY(...)` and so on.
extension FormatParser {
    /// Parses such a form; returns nil, and reads nothing, for any other name.
    mutating func call(_ name: String) throws(FormatError) -> Parsed? {
        switch name {
        case "FUNCTION": try arguments { parser, start throws(FormatError) in try parser.invocation(from: start) }
        case "CAST": try arguments { parser, start throws(FormatError) in try parser.cast(from: start) }
        case "CLASS": try arguments { parser, start throws(FormatError) in try parser.classConstant(from: start) }
        case "SUBQUERY": try arguments { parser, start throws(FormatError) in try parser.subquery(from: start) }
        case "TERNARY": try arguments { parser, start throws(FormatError) in try parser.ternary(from: start) }
        case "FETCH": try arguments { parser, start throws(FormatError) in try parser.fetch(from: start) }
        default: nil
        }
    }

    private mutating func arguments(
        _ read: (inout FormatParser, Int) throws(FormatError) -> Parsed
    ) throws(FormatError) -> Parsed {
        let start = position
        advance()
        try expect("(")
        let result = try read(&self, start)
        try expect(")")
        return result
    }

    private mutating func string() throws(FormatError) -> String {
        guard case .string(let text) = current.kind else { throw unexpected() }
        advance()
        return text
    }

    /// Parses `FUNCTION(target, "selector:", argument, ...)`.
    private mutating func invocation(from start: Int) throws(FormatError) -> Parsed {
        let target = try nested()
        try expect(",")
        let selectorPosition = position
        let selector = try string()
        var arguments: [Expression] = []
        var depth = target.depth
        while take(",") {
            let argument = try nested()
            arguments.append(try expression(argument))
            depth = max(depth, argument.depth)
        }
        guard PredefinedFunction.argumentCount(of: selector) == arguments.count else {
            throw error(.argumentCountWrong, at: selectorPosition)
        }
        let operand = try expression(target)
        guard operand != .constant(.className(PredefinedFunction.className)) else {
            return try parsed(.function(selector, arguments), from: start, depth: depth + 1)
        }
        return try parsed(
            .invocation(target: operand, selector: selector, arguments: arguments), from: start, depth: depth + 1)
    }

    /// Parses `CAST(value, "type")`: a constant if the value is a literal of that type, otherwise a function.
    private mutating func cast(from start: Int) throws(FormatError) -> Parsed {
        let value = try nested()
        try expect(",")
        let type = try nested()
        let (operand, typeName) = (try expression(value), try expression(type))
        if let constant = ConstantValue(cast: operand, to: typeName) {
            return try parsed(.constant(constant), from: start, depth: 1)
        }
        return try parsed(
            .function(PredefinedFunction.cast, [operand, typeName]), from: start,
            depth: max(value.depth, type.depth) + 1)
    }

    private mutating func classConstant(from start: Int) throws(FormatError) -> Parsed {
        try parsed(.constant(.className(try string())), from: start, depth: 1)
    }

    private mutating func subquery(from start: Int) throws(FormatError) -> Parsed {
        let collection = try nested()
        try expect(",")
        guard case .variable(let variable) = current.kind else { throw unexpected() }
        advance()
        try expect(",")
        let condition = try nested()
        return try parsed(
            .subquery(
                collection: try expression(collection), variable: variable, predicate: try predicate(condition)),
            from: start, depth: max(collection.depth, condition.depth) + 1)
    }

    private mutating func ternary(from start: Int) throws(FormatError) -> Parsed {
        let condition = try nested()
        try expect(",")
        let first = try nested()
        try expect(",")
        let second = try nested()
        return try parsed(
            .conditional(try predicate(condition), then: try expression(first), otherwise: try expression(second)),
            from: start, depth: max(condition.depth, first.depth, second.depth) + 1)
    }

    private mutating func fetch(from start: Int) throws(FormatError) -> Parsed {
        let request = try nested()
        try expect(",")
        let context = try nested()
        try expect(",")
        let countOnly: Bool
        switch current.keyword {
        case "YES", "TRUE": countOnly = true
        case "NO", "FALSE": countOnly = false
        default:
            guard case .integer(let digits) = current.kind, digits == "0" || digits == "1" else { throw unexpected() }
            countOnly = digits == "1"
        }
        advance()
        return try parsed(
            .fetchRequest(request: try expression(request), context: try expression(context), countOnly: countOnly),
            from: start, depth: max(request.depth, context.depth) + 1)
    }
}
