/// Turns a predicate or expression into a program.
struct ProgramCompiler<Names: NameResolver> {
    var names: Names
    var builder = ExpressionProgramBuilder()
    /// The variables of the enclosing subqueries, the innermost one last.
    var locals: [(name: String, number: Int)] = []
    private let whole: FormatNode
    /// The part for errors.
    private var current: FormatNode
    private var depth = 0

    /// The maximum height of a tree: those from archives may be higher than the parser allows, and each level takes
    /// stack space during the evaluation.
    private static var maximumDepth: Int { 260 }

    private let limits: EvaluationLimits

    init(_ names: Names, whole: FormatNode, limits: EvaluationLimits) {
        self.limits = limits
        self.names = names
        self.whole = whole
        current = whole
    }

    mutating func program() throws -> Program {
        do {
            let root =
                switch whole {
                case .predicate(let predicate): try compile(predicate)
                case .expression(let expression): try compile(expression)
                }
            return Program(builder, root: root, source: whole, limits: limits)
        } catch let fault as EvaluationFault {
            throw EvaluationError(fault, at: current, in: whole)
        }
    }

    /// Records the location of an error that is about to be thrown.
    mutating func fault(
        _ code: EvaluationError.Code, _ detail: String, at place: Expression
    ) -> EvaluationFault {
        current = .expression(place)
        return EvaluationFault(code, detail)
    }

    private mutating func descend(into node: FormatNode) throws {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw EvaluationFault(.tooDeep, "the nesting is too deep to be evaluated; simplify it")
        }
    }

    // MARK: Expressions

    mutating func compile(_ expression: Expression) throws -> Int {
        try descend(into: .expression(expression))
        defer { depth -= 1 }
        switch expression {
        case .constant(let value):
            noteObjects(in: value)
            return builder.add(.constant(builder.add(constant: ExpressionValue(value))), from: .expression(expression))
        case .evaluatedObject, .variable, .keyPath: return try compile(path: expression)
        case .function(let selector, let arguments):
            return try compile(function: selector, arguments, expression)
        case .invocation(let target, let selector, let arguments):
            return try compile(method: selector, on: target, arguments, expression)
        case .aggregate(let elements):
            return add(.list(try compile(list: elements)), expression)
        case .set(let operation, let left, let right):
            return add(.set(operation, try compile(left), try compile(right)), expression)
        case .subquery(let collection, let variable, let predicate):
            let elements = try compile(collection)
            let local = builder.addLocal()
            locals.append((variable, local))
            defer { locals.removeLast() }
            return add(
                .subquery(collection: elements, local: local, predicate: try compile(predicate)), expression)
        case .conditional(let predicate, let first, let second):
            return add(
                .conditional(
                    predicate: try compile(predicate), then: try compile(first), otherwise: try compile(second)),
                expression)
        case .fetchRequest(let request, let context, let countOnly):
            return add(
                .fetch(request: try compile(request), context: try compile(context), countOnly: countOnly), expression)
        case .assignment:
            throw fault(.unsupported, "an assignment has no meaning for rows", at: expression)
        case .symbol:
            throw fault(.unsupported, "FIRST, LAST and SIZE stand only between [ and ]", at: expression)
        case .anyKey:
            throw fault(.unsupported, "ANYKEY is for Spotlight only; name the keys", at: expression)
        }
    }

    /// Looks up object IDs in texts, once for all rows; whether they are compared with objects is only known later.
    private mutating func noteObjects(in value: ConstantValue) {
        switch value {
        case .string(let text), .url(let text):
            guard text.hasPrefix("x-coredata:"), builder.objects[text] == nil else { return }
            builder.objects[text] = names.object(at: text)
        case .array(let values), .set(let values): values.forEach { noteObjects(in: $0) }
        default: break
        }
    }

    mutating func add(_ node: ProgramNode, _ expression: Expression) -> Int {
        builder.add(node, from: .expression(expression))
    }

    mutating func compile(list expressions: [Expression]) throws -> Range<Int> {
        var numbers: [Int] = []
        for expression in expressions {
            numbers.append(try compile(expression))
        }
        return builder.add(list: numbers)
    }

    // MARK: Predicates

    mutating func compile(_ predicate: Predicate) throws -> Int {
        try descend(into: .predicate(predicate))
        defer { depth -= 1 }
        let node: ProgramNode =
            switch predicate {
            case .constant(let value): .truth(value)
            case .and(let parts): .and(try compile(list: parts))
            case .or(let parts): .or(try compile(list: parts))
            case .not(let operand): .not(try compile(operand))
            case .comparison(let comparison): .compare(try compile(comparison))
            }
        return builder.add(node, from: .predicate(predicate))
    }

    private mutating func compile(list predicates: [Predicate]) throws -> Range<Int> {
        var numbers: [Int] = []
        for predicate in predicates {
            numbers.append(try compile(predicate))
        }
        return builder.add(list: numbers)
    }

    private mutating func compile(_ comparison: ComparisonPredicate) throws -> ProgramComparison {
        guard !comparison.options.contains(.localeSensitive) else {
            current = .predicate(.comparison(comparison))
            throw EvaluationFault(
                .unsupported, "[l] depends on the machine's language, and results must not; use [cd]")
        }
        var pattern: Int?
        let isRegular = comparison.comparisonOperator == .matches
        if isRegular || comparison.comparisonOperator == .like,
            case .constant(.string(let text)) = comparison.right
        {
            current = .predicate(.comparison(comparison))
            pattern = builder.add(
                pattern: try TextPattern(text, isRegular: isRegular, options: comparison.options))
        }
        return ProgramComparison(
            left: try compile(comparison.left), right: try compile(comparison.right),
            comparisonOperator: comparison.comparisonOperator, modifier: comparison.modifier,
            options: comparison.options, asksForNull: asksForNull(comparison.left) || asksForNull(comparison.right),
            pattern: pattern)
    }

    /// Returns whether an expression is `NULL`, or a variable for a value from outside.
    private func asksForNull(_ expression: Expression) -> Bool {
        switch expression {
        case .constant(.null): true
        case .variable(let name): !locals.contains { $0.name == name }
        default: false
        }
    }
}
