import PredicateExpressions

/// The text of a derivation as it enters the version hash: that of the expression object, not Xcode's.
struct DerivationText {
    let text: String

    /// Whether a real store confirms this form; the others are by analogy.
    let isProven: Bool

    /// Converts a derivation: `now()` and key paths stay unchanged, `rel.@count` becomes `count:(rel)`.
    init(_ source: String) {
        let expression = try? Expression(format: source)
        switch Derivation(expression) {
        case .now: self.init("now()", isProven: true)
        case .count(let names):
            self.init(Expression.function("count:", [Self.keyPath(names)]).format, isProven: true)
        case .path(let names): self.init(Self.keyPath(names).format, isProven: true)
        case .other: self.init(expression.map { (Self.function($0) ?? $0).format } ?? source, isProven: false)
        }
    }

    private init(_ text: String, isProven: Bool) {
        self.text = text
        // It is unknown how a name is hashed that Foundation treats as a keyword.
        self.isProven = isProven && !text.contains("#")
    }

    /// Converts `rel.@sum.x` to a function of the path's destination.
    private static func function(_ expression: Expression) -> Expression? {
        let functions = ["@sum": "sum:", "@min": "min:", "@max": "max:", "@avg": "average:", "@average": "average:"]
        guard case .keyPath(.evaluatedObject, let path) = expression else { return nil }
        var names = path.split(separator: ".").map { String($0) }
        guard let place = names.firstIndex(where: { $0.hasPrefix("@") }), place > 0, place < names.count - 1,
            let function = functions[names.remove(at: place)], !names.contains(where: { $0.hasPrefix("@") })
        else { return nil }
        return .function(function, [keyPath(names)])
    }

    /// Returns the derivation in a source model that compiles to this expression.
    static func source(of expression: Expression) -> String {
        guard case .count(let names) = Derivation(expression) else { return expression.format }
        return keyPath(names + ["@count"]).format
    }

    private static func keyPath(_ names: [String]) -> Expression {
        .keyPath(names.joined(separator: "."))
    }
}
