import KeyedArchives

extension FormatParser {
    /// Parses a primary expression with its suffixes: key paths, method calls, indexes.
    mutating func postfixed(isNegative: Bool = false) throws(FormatError) -> Parsed {
        var operand = try primary(isNegative: isNegative)
        while true {
            if take(".") {
                operand = try member(of: operand)
            } else if case .expression(let value) = operand.node, take("[") {
                let index = try index()
                try expect("]")
                operand = try parsed(
                    .function(PredefinedFunction.index, [value, try expression(index)]), from: operand.start,
                    depth: max(operand.depth, index.depth) + 1)
            } else {
                return operand
            }
        }
    }

    /// Parses the part after a dot: a key, `SELF`, or a method with its arguments, `name:other:(a, b)`.
    private mutating func member(of operand: Parsed) throws(FormatError) -> Parsed {
        let target = try expression(operand)
        let name: String
        switch current.kind {
        case .word(let word), .escapedWord(let word): name = word
        default: throw unexpected()
        }
        let start = position
        advance()
        if current.kind == .sign(":") || current.kind == .sign("(") {
            let selector = try selector(startingWith: name)
            try expect("(")
            let (arguments, depth) = try list(until: ")")
            guard PredefinedFunction.argumentCount(of: selector) == arguments.count else {
                throw error(.argumentCountWrong, at: start)
            }
            return try parsed(
                .invocation(target: target, selector: selector, arguments: arguments), from: operand.start,
                depth: max(operand.depth, depth) + 1)
        }
        let isJoined = if case .keyPath = target { true } else { false }
        return try parsed(
            .keyPath(name, on: target), from: operand.start, depth: isJoined ? operand.depth : operand.depth + 1)
    }

    /// Parses the rest of a selector: `:other:`.
    private mutating func selector(startingWith name: String) throws(FormatError) -> String {
        var selector = name
        while take(":") {
            selector += ":"
            if case .word(let next) = current.kind {
                guard following.kind == .sign(":") else { throw unexpected() }
                selector += next
                advance()
            }
        }
        return selector
    }

    private mutating func index() throws(FormatError) -> Parsed {
        if let keyword = current.keyword, let symbol = SymbolicIndex(rawValue: keyword), following.kind == .sign("]") {
            let start = position
            advance()
            return try parsed(.symbol(symbol), from: start, depth: 1)
        }
        return try nested()
    }

    private mutating func primary(isNegative: Bool) throws(FormatError) -> Parsed {
        let start = position
        let expression: Expression
        switch current.kind {
        case .sign("("):
            advance()
            let inner = try nested()
            try expect(")")
            return Parsed(node: inner.node, start: start, depth: inner.depth)
        case .sign("{"):
            advance()
            let (elements, depth) = try list(until: "}")
            return try parsed(.aggregate(elements), from: start, depth: depth + 1)
        case .string(let text):
            expression = .constant(.string(text))
        case .integer(let digits):
            expression = .constant(try integer(isNegative ? "-" + digits : digits))
        case .real(let value):
            expression = .constant(.real(isNegative ? -value : value))
        case .argument(let value):
            expression = .constant(value)
        case .variable(let name) where following.kind == .sign(":="):
            advance()
            advance()
            let value = try nested()
            return try parsed(
                .assignment(variable: name, try self.expression(value)), from: start, depth: value.depth + 1)
        case .variable(let name):
            expression = .variable(name)
        case .escapedWord(let word):
            expression = .keyPath(word)
        case .word(let word):
            return try self.word(word)
        default:
            throw unexpected()
        }
        advance()
        return try parsed(expression, from: start, depth: 1)
    }

    private func integer(_ digits: String) throws(FormatError) -> ConstantValue {
        if let small = Int64(digits) {
            return .integer(small)
        }
        guard let large = DecimalNumber(digits) else { throw error(.numberInvalid, at: position) }
        return .decimal(large)
    }

    private mutating func word(_ word: String) throws(FormatError) -> Parsed {
        let start = position
        if following.kind == .sign("("), let special = try call(word.uppercased()) {
            return special
        }
        if let symbol = SymbolicIndex(rawValue: word) {
            advance()
            return try parsed(.symbol(symbol), from: start, depth: 1)
        }
        switch word.uppercased() {
        case "NULL", "NIL": return try literal(.null)
        case "TRUE", "YES": return try literal(.boolean(true))
        case "FALSE", "NO": return try literal(.boolean(false))
        case "SELF":
            advance()
            return try parsed(.evaluatedObject, from: start, depth: 1)
        case "ANYKEY":
            advance()
            return try parsed(.anyKey, from: start, depth: 1)
        case _ where ReservedWord.contains(word):
            throw unexpected()
        default: break
        }
        advance()
        guard current.kind == .sign(":") || current.kind == .sign("(") else {
            return try parsed(.keyPath(word), from: start, depth: 2)
        }
        return try function(word, from: start)
    }

    private mutating func literal(_ value: ConstantValue) throws(FormatError) -> Parsed {
        let start = position
        advance()
        return try parsed(.constant(value), from: start, depth: 1)
    }

    /// Parses a predefined function: `sum:(x)`, or `sum(x)` without the colon of a single argument.
    private mutating func function(_ name: String, from start: Int) throws(FormatError) -> Parsed {
        var selector = try selector(startingWith: name)
        try expect("(")
        let (arguments, depth) = try list(until: ")")
        if selector == name, arguments.count == 1 {
            selector += ":"
        }
        guard PredefinedFunction.selectors.contains(selector) else {
            let isKnown = PredefinedFunction.selectors.contains { $0 == name || $0.hasPrefix(name + ":") }
            throw error(isKnown ? .argumentCountWrong : .functionUnknown, at: start)
        }
        guard PredefinedFunction.argumentCount(of: selector) == arguments.count else {
            throw error(.argumentCountWrong, at: start)
        }
        return try parsed(.function(selector, arguments), from: start, depth: depth + 1)
    }

    /// Parses expressions separated by commas, after the opening bracket.
    mutating func list(until end: String) throws(FormatError) -> ([Expression], depth: Int) {
        var elements: [Expression] = []
        var depth = 0
        if take(end) {
            return (elements, depth)
        }
        repeat {
            let element = try nested()
            elements.append(try expression(element))
            depth = max(depth, element.depth)
        } while take(",")
        try expect(end)
        return (elements, depth)
    }
}
