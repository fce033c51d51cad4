/// Parses the predicate format language in one pass, without backtracking: whether parentheses contain a predicate or
/// an expression is known after their content has been parsed.
struct FormatParser {
    enum Node {
        case predicate(Predicate)
        case expression(Expression)
    }

    /// A node with its first token and the height of its tree.
    struct Parsed {
        let node: Node
        let start: Int
        let depth: Int
    }

    /// The maximum height of a tree, so that recursive code does not exhaust the stack.
    static let maximumDepth = 200

    /// The maximum size of a text in bytes. Its tree, and the data derived from it, take several hundred times as much
    /// memory.
    static let maximumLength = 1 << 17

    private let text: [UInt8]
    private let tokens: [FormatToken]
    private(set) var position = 0
    private var nesting = 0

    init(_ text: String, arguments: [ConstantValue] = []) throws(FormatError) {
        self.text = Array(text.utf8)
        guard self.text.count <= Self.maximumLength else {
            throw FormatError(.tooLong, at: Self.maximumLength..<self.text.count, in: self.text)
        }
        tokens = try FormatLexer.tokens(of: text, arguments: arguments)
    }

    mutating func wholePredicate() throws(FormatError) -> Predicate {
        let parsed = try disjunction()
        try expectEnd()
        return try predicate(parsed)
    }

    mutating func wholeExpression() throws(FormatError) -> Expression {
        let parsed = try disjunction()
        try expectEnd()
        return try expression(parsed)
    }

    // MARK: Tokens

    var current: FormatToken { tokens[position] }

    var following: FormatToken { tokens[min(position + 1, tokens.count - 1)] }

    mutating func advance() {
        position = min(position + 1, tokens.count - 1)
    }

    /// Consumes a sign or keyword if it is next; returns whether it was.
    mutating func take(_ symbol: String) -> Bool {
        guard current.kind == .sign(symbol) || current.keyword == symbol else { return false }
        advance()
        return true
    }

    mutating func expect(_ sign: String) throws(FormatError) {
        guard take(sign) else { throw unexpected() }
    }

    private func expectEnd() throws(FormatError) {
        guard current.kind == .end else { throw unexpected() }
    }

    func unexpected() -> FormatError {
        error(current.kind == .end ? .unexpectedEnd : .unexpectedToken, at: position)
    }

    /// Returns an error about a token.
    func error(_ code: FormatError.Code, at token: Int) -> FormatError {
        let range = tokens[token].range
        let found = range.isEmpty ? nil : String(decoding: text[range], as: UTF8.self)
        return FormatError(code, at: range, in: text, found: found)
    }

    // MARK: Nodes

    func parsed(_ expression: Expression, from start: Int, depth: Int) throws(FormatError) -> Parsed {
        try parsed(.expression(expression), from: start, depth: depth)
    }

    func parsed(_ predicate: Predicate, from start: Int, depth: Int) throws(FormatError) -> Parsed {
        try parsed(.predicate(predicate), from: start, depth: depth)
    }

    private func parsed(_ node: Node, from start: Int, depth: Int) throws(FormatError) -> Parsed {
        guard depth <= Self.maximumDepth else { throw error(.tooDeep, at: start) }
        return Parsed(node: node, start: start, depth: depth)
    }

    func expression(_ parsed: Parsed) throws(FormatError) -> Expression {
        guard case .expression(let expression) = parsed.node else {
            throw error(.expressionExpected, at: parsed.start)
        }
        return expression
    }

    func predicate(_ parsed: Parsed) throws(FormatError) -> Predicate {
        guard case .predicate(let predicate) = parsed.node else { throw error(.predicateExpected, at: parsed.start) }
        return predicate
    }

    /// Parses the content of parentheses or other brackets.
    mutating func nested() throws(FormatError) -> Parsed {
        nesting += 1
        guard nesting <= Self.maximumDepth else { throw error(.tooDeep, at: position) }
        let inner = try disjunction()
        nesting -= 1
        return inner
    }

    // MARK: Predicates

    private mutating func disjunction() throws(FormatError) -> Parsed {
        let first = try conjunction()
        var parts = [first]
        while take("OR") || take("||") {
            parts.append(try conjunction())
        }
        guard parts.count > 1 else { return first }
        let (predicates, depth) = try predicates(parts)
        return try parsed(.or(predicates), from: first.start, depth: depth + 1)
    }

    private mutating func conjunction() throws(FormatError) -> Parsed {
        let first = try negation()
        var parts = [first]
        while take("AND") || take("&&") {
            parts.append(try negation())
        }
        guard parts.count > 1 else { return first }
        let (predicates, depth) = try predicates(parts)
        return try parsed(.and(predicates), from: first.start, depth: depth + 1)
    }

    private func predicates(_ parts: [Parsed]) throws(FormatError) -> ([Predicate], depth: Int) {
        var predicates: [Predicate] = []
        var depth = 0
        for part in parts {
            predicates.append(try predicate(part))
            depth = max(depth, part.depth)
        }
        return (predicates, depth)
    }

    private mutating func negation() throws(FormatError) -> Parsed {
        let start = position
        var count = 0
        while take("NOT") || take("!") {
            count += 1
        }
        let operand = try comparison()
        guard count > 0 else { return operand }
        guard operand.depth + count <= Self.maximumDepth else { throw error(.tooDeep, at: start) }
        var result = try predicate(operand)
        for _ in 0..<count {
            result = .not(result)
        }
        return try parsed(result, from: start, depth: operand.depth + count)
    }

    private mutating func comparison() throws(FormatError) -> Parsed {
        let start = position
        if take("TRUEPREDICATE") { return try parsed(.constant(true), from: start, depth: 1) }
        if take("FALSEPREDICATE") { return try parsed(.constant(false), from: start, depth: 1) }
        var modifier = ComparisonPredicate.Modifier.direct
        var isNone = false
        switch current.keyword {
        case "ANY", "SOME": modifier = .any
        case "ALL": modifier = .all
        case "NONE": (modifier, isNone) = (.any, true)
        default: break
        }
        if modifier != .direct {
            advance()
        }
        let left = try operand(minimumPrecedence: 0)
        guard let comparisonOperator = takeComparisonOperator() else {
            if isUnknownOperator { throw error(.operatorUnknown, at: position) }
            guard modifier == .direct else { throw unexpected() }
            return left
        }
        let options = try takeOptions()
        let right = try operand(minimumPrecedence: 0)
        let comparison = ComparisonPredicate(
            try expression(left), comparisonOperator, try expression(right), modifier: modifier, options: options)
        let depth = max(left.depth, right.depth) + 1
        guard isNone else { return try parsed(.comparison(comparison), from: start, depth: depth) }
        return try parsed(.not(.comparison(comparison)), from: start, depth: depth + 1)
    }

    /// After an operand: whether the next word is not an operator, such as the NOT of `a NOT IN b`.
    private var isUnknownOperator: Bool {
        switch current.keyword {
        case nil, "AND", "OR": false
        default: true
        }
    }

    private mutating func takeComparisonOperator() -> ComparisonOperator? {
        let found: ComparisonOperator? =
            switch current.kind {
            case .sign("="): .equal
            case .sign("<>"): .notEqual
            case .sign("=<"): .lessThanOrEqual
            case .sign("=>"): .greaterThanOrEqual
            case .sign(let sign): ComparisonOperator.allCases.first { $0.symbol == sign }
            case .word(let word): ComparisonOperator.allCases.first { $0.symbol == word.uppercased() }
            default: nil
            }
        if found != nil {
            advance()
        }
        return found
    }

    /// Parses `[cd]` after an operator.
    private mutating func takeOptions() throws(FormatError) -> ComparisonOptions {
        guard take("[") else { return [] }
        guard case .word(let letters) = current.kind else { throw error(.optionUnknown, at: position) }
        var options: ComparisonOptions = []
        for letter in letters.lowercased() {
            guard let option = ComparisonOptions.letters.first(where: { $0.letter == letter })?.option else {
                throw error(.optionUnknown, at: position)
            }
            options.insert(option)
        }
        advance()
        try expect("]")
        return options
    }

    // MARK: Infix operators

    /// Parses an operand of a comparison, with infix operators of at least a given precedence. Set operations have the
    /// lowest.
    private mutating func operand(minimumPrecedence: Int) throws(FormatError) -> Parsed {
        var left = try prefixed()
        while true {
            if let operation = SetOperation.allCases.first(where: { $0.keyword == current.keyword }) {
                guard minimumPrecedence <= 1 else { return left }
                advance()
                let right = try operand(minimumPrecedence: 2)
                left = try parsed(
                    .set(operation, try expression(left), try expression(right)), from: left.start,
                    depth: max(left.depth, right.depth) + 1)
                continue
            }
            guard case .sign(let sign) = current.kind,
                let infix = PredefinedFunction.infixes.first(where: { $0.symbol == sign }),
                infix.precedence >= minimumPrecedence
            else { return left }
            advance()
            let right = try operand(minimumPrecedence: infix.precedence + 1)
            left = try parsed(
                .function(infix.selector, [try expression(left), try expression(right)]), from: left.start,
                depth: max(left.depth, right.depth) + 1)
        }
    }

    /// Parses a prefix. A minus sign before a number belongs to it; before anything else it subtracts from zero.
    private mutating func prefixed() throws(FormatError) -> Parsed {
        let start = position
        guard current.kind == .sign("-") || current.kind == .sign("~") else { return try postfixed() }
        let isMinus = current.kind == .sign("-")
        if isMinus {
            switch following.kind {
            case .integer, .real:
                advance()
                return try postfixed(isNegative: true)
            default: break
            }
        }
        advance()
        nesting += 1
        guard nesting <= Self.maximumDepth else { throw error(.tooDeep, at: start) }
        let operand = try prefixed()
        nesting -= 1
        let value = try expression(operand)
        let function: Expression =
            isMinus
            ? .function("from:subtract:", [.constant(.integer(0)), value])
            : .function(PredefinedFunction.complement, [value])
        return try parsed(function, from: start, depth: operand.depth + 1)
    }
}
