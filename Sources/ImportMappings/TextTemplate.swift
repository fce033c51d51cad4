/// A text with the values of columns in it: `{First Name} {Last Name}`.
///
/// A column without a value is replaced by nothing; if no column has a value, the text is NULL. Doubled braces
/// represent a single one.
public struct TextTemplate: Hashable, Sendable, Codable {
    /// A part of a template.
    public enum Part: Hashable, Sendable, Codable {
        /// A literal text.
        case literal(String)
        /// The value of a column, by its name.
        case column(String)
    }

    /// The parts in order, without empty and adjacent literals.
    public let parts: [Part]

    /// Parses a template.
    /// - Throws: `TextTemplateError` for a brace that is not closed, not opened, or empty.
    public init(_ text: String) throws(TextTemplateError) {
        var parts: [Part] = []
        var literal = ""
        let characters = Array(text)
        var index = 0
        while index < characters.count {
            let character = characters[index]
            let isDoubled = index + 1 < characters.count && characters[index + 1] == character
            switch character {
            case "{" where isDoubled, "}" where isDoubled:
                literal.append(character)
                index += 2
            case "{":
                guard let close = characters[index...].firstIndex(of: "}") else {
                    throw TextTemplateError(.notClosed, at: index)
                }
                guard close > index + 1 else { throw TextTemplateError(.noColumn, at: index) }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                parts.append(.column(String(characters[index + 1..<close])))
                index = close + 1
            case "}":
                throw TextTemplateError(.notOpened, at: index)
            default:
                literal.append(character)
                index += 1
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.parts = parts
    }

    private init(parts: [Part]) {
        self.parts = parts
    }

    /// Returns the template with other names for its columns.
    public func renamed(_ name: (String) -> String) -> TextTemplate {
        TextTemplate(
            parts: parts.map { part in
                if case .column(let column) = part { .column(name(column)) } else { part }
            })
    }

    /// The columns in order, without duplicates.
    public var columns: [String] {
        var names: [String] = []
        for case .column(let name) in parts where !names.contains(name) { names.append(name) }
        return names
    }

    /// The template in the form for a mapping file.
    public var text: String {
        var result = ""
        for part in parts {
            switch part {
            case .column(let name): result += "{" + name + "}"
            case .literal(let literal):
                for character in literal {
                    result.append(character)
                    if character == "{" || character == "}" { result.append(character) }
                }
            }
        }
        return result
    }
}

/// An error in a template, with its position.
public struct TextTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: Equatable, Sendable {
        /// A brace is not closed, one closes nothing, or braces are empty.
        case notClosed, notOpened, noColumn
    }

    /// The kind of the error.
    public let code: Code
    /// The offset of the brace in characters, counted from 0.
    public let offset: Int

    init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    public var description: String {
        switch code {
        case .notClosed: "this brace is not closed; add \"}\", or write \"{{\" for a brace in the text"
        case .notOpened: "no brace is open here; write \"}}\" for a brace in the text"
        case .noColumn: "there is no column between these braces; name one"
        }
    }
}
