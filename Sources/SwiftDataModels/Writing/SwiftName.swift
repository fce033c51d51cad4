/// Names that are valid in Swift.
enum SwiftName {
    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat",
        "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while",
    ]

    /// Returns the name of a property, in backticks if it is a keyword.
    static func property(_ name: String) -> String {
        keywords.contains(name) || !isName(name) ? "`\(name)`" : name
    }

    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, SwiftCharacters.beginsName(first) else { return false }
        return name.utf8.allSatisfy(SwiftCharacters.continuesName)
    }

    /// Returns the name of a type, without characters that are not allowed.
    static func type(_ name: String, else other: String) -> String {
        var result = name.unicodeScalars.filter { scalar in
            scalar.utf8.allSatisfy(SwiftCharacters.continuesName)
        }.reduce(into: "") { $0.unicodeScalars.append($1) }
        if let first = result.utf8.first, SwiftCharacters.isDigit(first) { result = "_" + result }
        if result.isEmpty { return other }
        return keywords.contains(result) ? result + "_" : result
    }

    /// Returns a string literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
