import PredicateExpressions

/// The form of a derived attribute's derivation, if it is one of the usual ones, regardless of its notation.
public enum Derivation: Sendable, Hashable {
    /// The time of the save: `now()`.
    case now
    /// The number of objects that a path leads to: `parts.@count`, which is the same as `count:(parts)`.
    case count(of: [String])
    /// A property: `author.name`.
    case path([String])
    /// Any other expression, or a text that cannot be parsed.
    case other

    init(_ expression: Expression?) {
        switch expression {
        case .function("now", _)?: self = .now
        case .keyPath(.evaluatedObject, let path)?: self.init(path: path, isCount: false)
        case .function("count:", let arguments)?:
            if case .keyPath(.evaluatedObject, let path)? = arguments.first {
                self.init(path: path, isCount: true)
            } else {
                self = .other
            }
        default: self = .other
        }
    }

    private init(path: String, isCount: Bool) {
        var names = path.split(separator: ".").map { String($0) }
        let isCounted = !isCount && names.count > 1 && names.last == "@count"
        if isCounted { names.removeLast() }
        guard !names.contains(where: { $0.hasPrefix("@") }) else {
            self = .other
            return
        }
        self = isCount || isCounted ? .count(of: names) : .path(names)
    }
}

extension AttributeDescription {
    /// The form of the attribute's derivation; nil if it is not derived.
    public var derivation: Derivation? { derivationExpression.map { Derivation(try? Expression(format: $0)) } }
}
