import ImportMappings
internal import PredicateExpressions

/// A value that is computed from other values of the record; its names are slots.
struct CompiledExpression {
    let program: ExpressionProgram
    /// The sources of the slots' values.
    let origins: [CompiledOrigin]
    /// The columns or paths of the slots, for messages.
    let columns: String
    /// For each slot, whether its text stands for a number, because it is used in a calculation or compared with a
    /// number.
    let isNumeric: [Bool]
    /// The time of `now()`, in seconds since 2001.
    let now: Double

    /// - Throws: `ImportPlanError` if the expression cannot be parsed, or is not supported.
    init(
        _ mapped: MappedExpression, now: Double, origin: (String) throws(ImportPlanError) -> CompiledOrigin
    ) throws(ImportPlanError) {
        let expression: Expression
        var names: PredicateExpressions.RecordNames
        do {
            expression = try Expression(format: mapped.text)
            let used = ExpressionNames(expression)
            if let unusable = used.unusable {
                throw ImportPlanError(
                    .badSetting("the expression \"\(mapped.text)\" has \(unusable), which no record has"))
            }
            names = PredicateExpressions.RecordNames(used.names)
            program = try expression.compile(resolving: &names)
        } catch let error as ImportPlanError {
            throw error
        } catch {
            throw ImportPlanError(.badSetting("the expression \"\(mapped.text)\" cannot be evaluated: \(error)"))
        }
        var origins: [CompiledOrigin] = []
        for name in names.columns { origins.append(try origin(mapped.columns[name] ?? name)) }
        self.origins = origins
        columns = names.columns.map { mapped.columns[$0] ?? $0 }.joined(separator: ", ")
        self.now = now
        let numbers = NumericNames(expression)
        isNumeric = names.columns.map { numbers.names.contains($0) }
    }
}

/// A search for the names in an expression that stand for numbers.
private struct NumericNames {
    private(set) var names = Set<String>()

    /// The functions whose arguments are not numbers.
    private static let others: Set<String> = [
        "uppercase:", "lowercase:", "canonical:", "length:", "castObject:toType:", "tokenize:using:",
        "objectFrom:withIndex:", "distinct:", "first:", "last:", "now", "noindex:", "count:",
    ]

    init(_ expression: Expression) {
        visit(expression)
    }

    private mutating func visit(_ expression: Expression) {
        switch expression {
        case .function(let selector, let arguments):
            for argument in arguments {
                if !Self.others.contains(selector) { note(argument) }
                visit(argument)
            }
        case .aggregate(let elements): elements.forEach { visit($0) }
        case .conditional(let predicate, let first, let second):
            visit(predicate)
            visit(first)
            visit(second)
        default: break
        }
    }

    private mutating func visit(_ predicate: Predicate) {
        switch predicate {
        case .constant: break
        case .not(let inner): visit(inner)
        case .and(let parts), .or(let parts): parts.forEach { visit($0) }
        case .comparison(let comparison):
            if Self.isNumber(comparison.right) { note(comparison.left) }
            if Self.isNumber(comparison.left) { note(comparison.right) }
            visit(comparison.left)
            visit(comparison.right)
        }
    }

    private static func isNumber(_ expression: Expression) -> Bool {
        switch expression {
        case .constant(.integer), .constant(.real), .constant(.decimal): true
        case .function(let selector, _): !others.contains(selector) || selector == "length:"
        case .aggregate(let elements): !elements.isEmpty && elements.allSatisfy { isNumber($0) }
        default: false
        }
    }

    private mutating func note(_ expression: Expression) {
        var (base, path) = (expression, "")
        while case .keyPath(let inner, let name) = base {
            path = path.isEmpty ? name : name + "." + path
            base = inner
        }
        if case .evaluatedObject = base, !path.isEmpty { names.insert(path) }
    }
}
