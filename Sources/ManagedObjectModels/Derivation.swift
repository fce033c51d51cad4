import PredicateExpressions

/// What a derived attribute is computed from, as far as its form is a usual one. The notation does not matter.
public enum Derivation: Sendable, Hashable {
    /// The moment of saving: `now()`.
    case now
    /// How many objects a path leads to: `parts.@count`, which is `count:(parts)`.
    case count(of: [String])
    /// A property: `author.name`.
    case path([String])
    /// Something else, or no expression: a text that does not parse.
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
    /// What the attribute is derived from; nil if it is not derived.
    public var derivation: Derivation? { derivationExpression.map { Derivation(try? Expression(format: $0)) } }
}
