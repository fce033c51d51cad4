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

    /// Throws `UsageError` where a list of columns has one twice, which would be one key of an object twice.
    static func checkKeys(_ columns: String, format: String) throws(UsageError) {
        var seen: Set<String> = []
        for part in parts(columns) where !seen.insert(part.split(separator: " ").joined(separator: " ")).inserted {
            throw .badValue(
                part, of: "--columns", expected: "each column once: in \(format) its name is a key of the object")
        }
    }

    /// The parts of a list: a comma in parentheses, braces or quotes separates nothing.
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

/// An option whose predicate or expression cannot be read, with a caret at the place.
struct FormatArgumentError: Error, CustomStringConvertible {
    let option: String
    let text: String
    let error: FormatError

    var description: String { "\(option): \(error)\n  " + error.marked(in: text).replacing("\n", with: "\n  ") }
}
