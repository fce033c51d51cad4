/// Replaces an expression's parts by arguments, beginning with the largest ones.
struct SQLPartitioner<Schema: SQLSchema> {
    let compiler: SQLCompiler<Schema>
    let variable: String
    private(set) var arguments: [SQLPartition.Argument] = []
    private var names: [Expression: String] = [:]

    init(compiler: SQLCompiler<Schema>, variable: String) {
        self.compiler = compiler
        self.variable = variable
    }

    mutating func split(_ part: Expression) throws(SQLRefusal) -> Expression {
        guard compiler.needsRow(part) else { return part }
        do {
            return try argument(part)
        } catch {
            return try inner(of: part, because: error)
        }
    }

    private mutating func argument(_ part: Expression) throws(SQLRefusal) -> Expression {
        let name = names[part] ?? Self.plainName(part) ?? "part\(arguments.count + 1)"
        if names[part] == nil {
            arguments.append(try compiler.argument(part, name: name))
            names[part] = name
        }
        return .keyPath(.variable(variable), name)
    }

    /// Returns the text of a path, which is kept so that errors show it; nil for other expressions.
    private static func plainName(_ part: Expression) -> String? {
        switch part {
        case .keyPath(.variable, let path), .keyPath(.evaluatedObject, let path): path.contains("@") ? nil : path
        default: nil
        }
    }

    private mutating func inner(
        of part: Expression, because refusal: SQLRefusal
    ) throws(SQLRefusal) -> Expression {
        switch part {
        case .keyPath(let base, let path): return try keyPath(path, on: base, because: refusal)
        case .function(let selector, let arguments): return .function(selector, try split(all: arguments))
        case .invocation(let target, let selector, let arguments):
            if selector == "valueForKey:" || selector == "valueForKeyPath:",
                case .constant(.string(let path))? = arguments.first
            {
                return try split(.keyPath(path, on: target))
            }
            if case .row? = compiler.start(target) {
                throw compiler.refuse(part, "objects have no method \(selector) here")
            }
            return .invocation(
                target: try split(target), selector: selector, arguments: try split(all: arguments))
        case .aggregate(let elements): return .aggregate(try split(all: elements))
        case .set(let operation, let left, let right): return .set(operation, try split(left), try split(right))
        case .conditional(let predicate, let first, let second):
            return .conditional(try split(predicate), then: try split(first), otherwise: try split(second))
        case .subquery(let collection, let variable, let predicate):
            return .subquery(
                collection: try split(collection), variable: variable, predicate: try split(predicate))
        case .constant, .evaluatedObject, .variable, .fetchRequest, .assignment, .symbol, .anyKey: throw refusal
        }
    }

    private mutating func split(all parts: [Expression]) throws(SQLRefusal) -> [Expression] {
        var result: [Expression] = []
        for part in parts { result.append(try split(part)) }
        return result
    }

    /// Returns the longest prefix of a path that SQL supports; the rest are keys of its value.
    private mutating func keyPath(
        _ path: String, on base: Expression, because refusal: SQLRefusal
    ) throws(SQLRefusal) -> Expression {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false)
        for count in stride(from: keys.count - 1, to: 0, by: -1) {
            let beginning = Expression.keyPath(keys.prefix(count).joined(separator: "."), on: base)
            guard let found = try? argument(beginning) else { continue }
            return .keyPath(keys.dropFirst(count).joined(separator: "."), on: found)
        }
        switch base {
        case .evaluatedObject, .variable: throw refusal
        default: return .keyPath(path, on: try split(base))
        }
    }

    private mutating func split(_ predicate: Predicate) throws(SQLRefusal) -> Predicate {
        try predicate.replacing { (part, _) throws(SQLRefusal) in try split(part) }
    }
}
