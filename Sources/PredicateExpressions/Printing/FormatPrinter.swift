import KeyedArchives
import TextEncodings

/// Prints predicates and expressions so that parsing restores them.
struct FormatPrinter {
    private(set) var output = ""
    /// A part whose position is determined while printing.
    var wanted: FormatNode?
    /// The offset of the first part that equals it, in characters.
    private(set) var wantedOffset: Int?

    mutating func print(_ node: FormatNode) {
        switch node {
        case .predicate(let predicate): print(predicate)
        case .expression(let expression): print(expression)
        }
    }

    private mutating func note(_ node: @autoclosure () -> FormatNode) {
        if let wanted, wantedOffset == nil, node() == wanted {
            wantedOffset = output.count
        }
    }

    // MARK: Predicates

    mutating func print(_ predicate: Predicate) {
        note(.predicate(predicate))
        switch predicate {
        case .constant(let value): output += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): print(comparison)
        case .and(let parts) where parts.count < 2: print(Predicate.all(of: parts))
        case .or(let parts) where parts.count < 2: print(Predicate.any(of: parts))
        case .and(let parts): print(parts, separator: " AND ")
        case .or(let parts): print(parts, separator: " OR ")
        case .not(let operand):
            output += "NOT "
            printEnclosed(operand)
        }
    }

    private mutating func print(_ parts: [Predicate], separator: String) {
        for (number, part) in parts.enumerated() {
            if number > 0 {
                output += separator
            }
            if case .not = part {
                print(part)
            } else {
                printEnclosed(part)
            }
        }
    }

    private mutating func printEnclosed(_ predicate: Predicate) {
        switch predicate {
        case .constant, .comparison: print(predicate)
        case .and, .or, .not:
            output += "("
            print(predicate)
            output += ")"
        }
    }

    private mutating func print(_ comparison: ComparisonPredicate) {
        switch comparison.modifier {
        case .direct: break
        case .all: output += "ALL "
        case .any: output += "ANY "
        }
        print(comparison.left, enclosed: comparison.left.isAssignment)
        output += " " + comparison.comparisonOperator.symbol
        let letters = ComparisonOptions.letters.filter { comparison.options.contains($0.option) }.map(\.letter)
        if !letters.isEmpty {
            output += "[" + String(letters) + "]"
        }
        output += " "
        print(comparison.right, enclosed: comparison.right.isAssignment)
    }

    // MARK: Expressions

    mutating func print(_ expression: Expression) {
        note(.expression(expression))
        switch expression {
        case .constant(let value): print(value)
        case .evaluatedObject: output += "SELF"
        case .variable(let name): output += "$" + name
        case .keyPath(.evaluatedObject, let path): output += Self.escapedPath(path)
        case .keyPath(let operand, let path):
            print(operand, enclosed: !operand.isPostfixOperand)
            output += "." + Self.escapedPath(path)
        case .function(let selector, let arguments): print(function: selector, arguments)
        case .invocation(let target, let selector, let arguments):
            output += "FUNCTION("
            print(target)
            output += ", " + Self.quoted(selector)
            for argument in arguments {
                output += ", "
                print(argument)
            }
            output += ")"
        case .aggregate(let elements):
            output += "{"
            print(list: elements)
            output += "}"
        case .set(let operation, let left, let right):
            print(left, enclosed: !left.isInfixOperand)
            output += " \(operation.keyword) "
            print(right, enclosed: !right.isInfixOperand)
        case .subquery(let collection, let variable, let predicate):
            output += "SUBQUERY("
            print(collection)
            output += ", $\(variable), "
            print(predicate)
            output += ")"
        case .conditional(let predicate, let first, let second):
            output += "TERNARY("
            print(predicate)
            output += ", "
            print(list: [first, second])
            output += ")"
        case .fetchRequest(let request, let context, let countOnly):
            output += "FETCH("
            print(list: [request, context])
            output += countOnly ? ", YES)" : ", NO)"
        case .assignment(let variable, let value):
            output += "$\(variable) := "
            print(value)
        case .symbol(let symbol): output += symbol.rawValue
        case .anyKey: output += "ANYKEY"
        }
    }

    private mutating func print(_ expression: Expression, enclosed: Bool) {
        output += enclosed ? "(" : ""
        print(expression)
        output += enclosed ? ")" : ""
    }

    /// Prints an index: between brackets, `size` means the index, and only `#size` the key, in any case.
    private mutating func print(index: Expression) {
        if case .keyPath(.evaluatedObject, let path) = index, SymbolicIndex(rawValue: path.uppercased()) != nil {
            output += "#" + path
        } else {
            print(index)
        }
    }

    private mutating func print(list: [Expression]) {
        for (number, element) in list.enumerated() {
            if number > 0 {
                output += ", "
            }
            print(element)
        }
    }

    private mutating func print(function selector: String, _ arguments: [Expression]) {
        let isWellFormed = PredefinedFunction.argumentCount(of: selector) == arguments.count
        if isWellFormed, let infix = PredefinedFunction.infixes.first(where: { $0.selector == selector }) {
            print(arguments[0], enclosed: !arguments[0].isInfixOperand)
            output += " \(infix.symbol) "
            print(arguments[1], enclosed: !arguments[1].isInfixOperand)
        } else if isWellFormed, selector == PredefinedFunction.complement {
            output += "~"
            print(arguments[0], enclosed: !arguments[0].isInfixOperand)
        } else if isWellFormed, selector == PredefinedFunction.index {
            print(arguments[0], enclosed: !arguments[0].isPostfixOperand)
            output += "["
            print(index: arguments[1])
            output += "]"
        } else if isWellFormed, selector == PredefinedFunction.cast, !ConstantValue.isCast(arguments) {
            output += "CAST("
            print(list: arguments)
            output += ")"
        } else if PredefinedFunction.selectors.contains(selector), isWellFormed {
            output += selector + "("
            print(list: arguments)
            output += ")"
        } else {
            // A function that this version of the language lacks.
            print(
                .invocation(
                    target: .constant(.className(PredefinedFunction.className)), selector: selector,
                    arguments: arguments))
        }
    }

    // MARK: Constants and names

    private mutating func print(_ value: ConstantValue) {
        switch value {
        case .null: output += "NULL"
        case .boolean(let value): output += value ? "YES" : "NO"
        case .integer(let value): output += "\(value)"
        case .real(let value) where value.isNaN: print(cast: "nan", to: "NSNumber")
        case .real(let value) where value.isInfinite: print(cast: value < 0 ? "-inf" : "inf", to: "NSNumber")
        case .real(let value): output += "\(value)"
        case .decimal(let value): print(cast: value.description, to: "NSDecimalNumber")
        case .string(let text): output += Self.quoted(text)
        case .date(let seconds): output += "CAST(\(seconds), \"NSDate\")"
        case .data(let bytes): print(cast: Base64.encode(bytes), to: "NSData")
        case .uuid(let bytes): print(cast: UUIDText.text(bytes), to: "NSUUID")
        case .url(let text): print(cast: text, to: "NSURL")
        case .array(let values): print(cast: values, to: "NSArray")
        case .set(let values): print(cast: values, to: "NSSet")
        case .className(let name): output += "CLASS(" + Self.quoted(name) + ")"
        }
    }

    private mutating func print(cast text: String, to type: String) {
        output += "CAST(" + Self.quoted(text) + ", " + Self.quoted(type) + ")"
    }

    private mutating func print(cast values: [ConstantValue], to type: String) {
        output += "CAST("
        print(.aggregate(values.map { .constant($0) }))
        output += ", " + Self.quoted(type) + ")"
    }

    /// Returns a key path that can be parsed back: reserved words with a `#`, other unusual ones quoted as a whole.
    private static func escapedPath(_ path: String) -> String {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false)
        guard keys.allSatisfy(isName) else { return "#" + quoted(path) }
        return keys.map { (ReservedWord.isReservedByFoundation(String($0)) ? "#" : "") + $0 }.joined(separator: ".")
    }

    private static func isName(_ key: Substring) -> Bool {
        let name = key.utf8.first == UInt8(ascii: "@") ? key.utf8.dropFirst() : key.utf8[...]
        guard let first = name.first, FormatLexer.isNameStart(first) else { return false }
        return name.allSatisfy(FormatLexer.isNamePart)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension Expression {
    fileprivate var isAssignment: Bool {
        if case .assignment = self { true } else { false }
    }

    /// Whether it can be an operand of an infix operator without parentheses.
    fileprivate var isInfixOperand: Bool {
        switch self {
        case .set, .assignment: false
        case .function(let selector, _):
            !PredefinedFunction.infixes.contains { $0.selector == selector }
                && selector != PredefinedFunction.complement
        default: true
        }
    }

    /// Whether it can precede a dot or an index without parentheses.
    fileprivate var isPostfixOperand: Bool {
        switch self {
        case .constant(.integer), .constant(.real): false
        default: isInfixOperand
        }
    }
}
