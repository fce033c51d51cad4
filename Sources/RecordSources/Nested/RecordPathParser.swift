/// Parses the text of a path.
public struct RecordPathParser {
    /// A step as written in the path.
    public enum Step: Equatable, Sendable {
        /// A member or child element, given by its name; names of attributes begin with `@`.
        case name(String)
        /// The item at an index, from 0.
        case item(Int)
        /// Each item of an array, or each element with the name.
        case every
        /// All members of an object, whatever their names.
        case members
    }

    private let text: String
    private let characters: [Character]
    private var index = 0

    /// Prepares to parse a path.
    public init(_ text: String) {
        self.text = text
        characters = Array(text)
    }

    /// Returns the steps that lead to the records of a document, and whether the records are the members of the object
    /// there.
    static func recordSteps(_ path: String, in name: String) throws(SourceError) -> (steps: [Step], hasMembers: Bool) {
        var parser = RecordPathParser(path)
        do {
            let steps = try parser.parse().steps
            return steps.last == .members ? (steps.dropLast(), true) : (steps, false)
        } catch {
            throw SourceError(.malformedPath(path, reason: error.reason), in: name)
        }
    }

    /// Returns the steps, and whether `text()` follows them; no steps for the record itself.
    /// - Throws: `RecordPathError` with the place of the error.
    public mutating func parse() throws(RecordPathError) -> (steps: [Step], endsInText: Bool) {
        var steps: [Step] = []
        guard !characters.isEmpty else { throw failure("it is empty") }
        if characters == ["."] { return ([], false) }
        var needsName = characters[0] != "["
        while index < characters.count || needsName {
            if needsName {
                if characters[index...].elementsEqual("text()") { return (steps, true) }
                let isQuoted = characters[index...].first == "\""
                let name = try name()
                steps.append(name == "*" && !isQuoted ? .members : .name(name))
                needsName = false
            } else if characters[index] == "[" {
                steps.append(try selection())
            } else if characters[index] == "." || characters[index] == "/" {
                index += 1
                needsName = true
            } else if characters[index] == "@" && index > 0 {
                needsName = true
            } else {
                throw failure("expected '.' or '['")
            }
            guard steps.count <= RecordPath.largestStepCount else { throw failure("it has too many steps") }
        }
        return (steps, false)
    }

    private mutating func name() throws(RecordPathError) -> String {
        let start = index
        if index < characters.count, characters[index] == "@" { index += 1 }
        if index < characters.count, characters[index] == "\"" {
            let prefix = String(characters[start..<index])
            index += 1
            let first = index
            while index < characters.count, characters[index] != "\"" { index += 1 }
            guard index < characters.count else { throw failure("the quote is not closed") }
            defer { index += 1 }
            return prefix + String(characters[first..<index])
        }
        while index < characters.count, !"./[]@\"".contains(characters[index]) { index += 1 }
        let name = String(characters[start..<index])
        guard !name.isEmpty, name != "@" else { throw failure("expected a name") }
        return name
    }

    private mutating func selection() throws(RecordPathError) -> Step {
        guard let close = characters[index...].firstIndex(of: "]") else { throw failure("the '[' is not closed") }
        let inside = String(characters[index + 1..<close])
        if inside == "*" {
            index = close + 1
            return .every
        }
        guard let number = Int(inside), number >= 0, inside.allSatisfy(\.isNumber) else {
            throw failure("expected '*' or a whole number, 0 or more, in brackets")
        }
        index = close + 1
        return .item(number)
    }

    private func failure(_ reason: String) -> RecordPathError {
        RecordPathError(path: text, offset: index, reason: reason)
    }
}
