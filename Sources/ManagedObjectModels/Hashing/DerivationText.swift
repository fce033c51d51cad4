/// The text of a derivation as it enters the version hash: that of the expression object, not that of Xcode.
struct DerivationText {
    let text: String

    /// Whether a real store confirms this form; the others are by analogy.
    let isProven: Bool

    /// `now()` and key paths stay as they are, `rel.@count` becomes `count:(rel)`.
    init(_ expression: String) {
        let steps = expression.split(separator: ".", omittingEmptySubsequences: false)
        guard let marker = steps.firstIndex(where: { $0.hasPrefix("@") }), marker > 0 else {
            text = expression
            isProven = expression == "now()" || steps.allSatisfy(Self.isIdentifier)
            return
        }
        let path = steps[..<marker].joined(separator: ".")
        let rest = steps[(marker + 1)...]
        let isPath = steps[..<marker].allSatisfy(Self.isIdentifier) && rest.allSatisfy(Self.isIdentifier)
        let functions = ["@sum": "sum", "@min": "min", "@max": "max", "@avg": "average", "@average": "average"]
        if isPath, steps[marker] == "@count", rest.isEmpty {
            text = "count:(\(path))"
            isProven = true
        } else if isPath, !rest.isEmpty, let function = functions[String(steps[marker])] {
            text = "\(function):(\(path).\(rest.joined(separator: ".")))"
            isProven = false
        } else {
            text = expression
            isProven = false
        }
    }

    private static func isIdentifier(_ step: Substring) -> Bool {
        guard let first = step.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else { return false }
        return step.unicodeScalars.allSatisfy {
            $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
    }
}
