/// A text with the values of columns in it: `{First Name} {Last Name}`.
///
/// A column without a value leaves its place empty; where no column has one, the text is NULL. Two braces stand for
/// one.
public struct TextTemplate: Hashable, Sendable, Codable {
    /// A piece of a template.
    public enum Part: Hashable, Sendable, Codable {
        /// A text that stands for itself.
        case literal(String)
        /// The value of a column, by its name.
        case column(String)
    }

    /// The parts in order, without empty literals, and no two literals side by side.
    public let parts: [Part]

    /// Parses a template; throws what is wrong with it.
    /// - Throws: `TextTemplateError` with the brace that is not closed, not opened, or has nothing in it.
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

    /// The same with other names for its columns.
    public func renamed(_ name: (String) -> String) -> TextTemplate {
        TextTemplate(
            parts: parts.map { part in
                if case .column(let column) = part { .column(name(column)) } else { part }
            })
    }

    /// The columns in order, each once.
    public var columns: [String] {
        var names: [String] = []
        for case .column(let name) in parts where !names.contains(name) { names.append(name) }
        return names
    }

    /// The template as a mapping file writes it.
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

/// What is wrong with a template, and where in it.
public struct TextTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong with a template.
    public enum Code: Equatable, Sendable {
        /// A brace that is not closed, one that closes nothing, or two with nothing between.
        case notClosed, notOpened, noColumn
    }

    /// What is wrong with the template.
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
