/// The predefined functions of the language, by their selectors.
public enum PredefinedFunction {
    /// The class to which the functions belong in archives.
    static let className = "_NSPredicateUtilities"

    /// All selectors; the number of colons is the number of arguments.
    public static let selectors: Set<String> = [
        "average:", "sum:", "count:", "min:", "max:", "median:", "mode:", "stddev:", "add:to:", "from:subtract:",
        "multiply:by:", "divide:by:", "modulus:by:", "sqrt:", "log:", "ln:", "raise:toPower:", "exp:", "floor:",
        "ceiling:", "abs:", "trunc:", "random", "random:", "randomn:", "now", "bitwiseAnd:with:", "bitwiseOr:with:",
        "bitwiseXor:with:", "leftshift:by:", "rightshift:by:", "onesComplement:", "uppercase:", "lowercase:",
        "canonical:", "length:", "noindex:", "distanceToLocation:fromLocation:", "castObject:toType:",
        "objectFrom:withIndex:", "distinct:", "first:", "last:", "tokenize:using:",
    ]

    /// An infix operator: its selector and precedence.
    struct Infix {
        let symbol: String
        let selector: String
        let precedence: Int
    }

    static let infixes = [
        Infix(symbol: "|", selector: "bitwiseOr:with:", precedence: 2),
        Infix(symbol: "^", selector: "bitwiseXor:with:", precedence: 3),
        Infix(symbol: "&", selector: "bitwiseAnd:with:", precedence: 4),
        Infix(symbol: "<<", selector: "leftshift:by:", precedence: 5),
        Infix(symbol: ">>", selector: "rightshift:by:", precedence: 5),
        Infix(symbol: "+", selector: "add:to:", precedence: 6),
        Infix(symbol: "-", selector: "from:subtract:", precedence: 6),
        Infix(symbol: "*", selector: "multiply:by:", precedence: 7),
        Infix(symbol: "/", selector: "divide:by:", precedence: 7),
        Infix(symbol: "**", selector: "raise:toPower:", precedence: 8),
    ]

    static let cast = "castObject:toType:"
    static let index = "objectFrom:withIndex:"
    static let complement = "onesComplement:"

    /// Returns the number of arguments of a selector.
    static func argumentCount(of selector: String) -> Int {
        selector.utf8.count { $0 == UInt8(ascii: ":") }
    }
}
