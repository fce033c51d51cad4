import CommandLineParsing
import PredicateExpressions
import StoreFetching

/// Predicates and expressions in options.
enum FormatArgument {
    static func predicate(_ text: String, of option: String) throws(FormatArgumentError) -> Predicate {
        do {
            return try Predicate(format: text)
        } catch {
            throw FormatArgumentError(option: option, text: text, error: error)
        }
    }

    static func expression(_ text: String, of option: String) throws(FormatArgumentError) -> Expression {
        do {
            return try Expression(format: text)
        } catch {
            throw FormatArgumentError(option: option, text: text, error: error)
        }
    }

    /// Throws `UsageError` if a column occurs twice in a list, because it would be a repeated key of a JSON object.
    static func checkKeys(_ columns: String, format: String) throws(UsageError) {
        var seen: Set<String> = []
        for part in parts(columns) where !seen.insert(part.split(separator: " ").joined(separator: " ")).inserted {
            throw .badValue(
                part, of: "--columns", expected: "each column once: in \(format) its name is a key of the object")
        }
    }

    /// Returns the parts of a list, in which commas inside parentheses, braces or quotes are not separators.
    static func parts(_ text: String) -> [String] {
        var parts = [""]
        var depth = 0
        var quote: Character?
        for character in text {
            switch character {
            case _ where quote != nil: if character == quote { quote = nil }
            case "\"", "'": quote = character
            case "(", "{", "[": depth += 1
            case ")", "}", "]": depth -= 1
            case "," where depth == 0:
                parts.append("")
                continue
            default: break
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { part in String(part.drop { $0 == " " }) }
    }
}

/// The error for a predicate or expression in an option that cannot be parsed, with a caret at the place of the error.
struct FormatArgumentError: Error, CustomStringConvertible {
    let option: String
    let text: String
    let error: FormatError

    var description: String { "\(option): \(error)\n  " + error.marked(in: text).replacing("\n", with: "\n  ") }
}
