/// A public declaration of a library, with what its documentation comment lacks.
struct PublicDeclaration: Equatable {
    /// What a comment can lack.
    enum Fault: String {
        case noComment = "has no documentation comment"
        case noSentence = "begins with a list and not with a sentence"
        case noErrors = "throws, and has no section \"- Throws:\""
        case notAllParameters = "describes some of its parameters and not all"
    }

    /// Counted from 1.
    let line: Int
    /// The line that it begins on, without its indentation.
    let text: String
    let faults: [Fault]

    /// - Parameters:
    ///   - comment: the lines of the comment without their slashes; empty if there is none.
    ///   - parameters: the names that the declaration's own code has for its parameters.
    init(line: Int, text: String, comment: [Substring], parameters: [String], throwsErrors: Bool) {
        self.line = line
        self.text = text
        var faults: [Fault] = []
        if let first = comment.first {
            if first.hasPrefix("- ") { faults.append(.noSentence) }
        } else {
            faults.append(.noComment)
        }
        if throwsErrors, !comment.contains(where: { $0.hasPrefix("- Throws: ") }) { faults.append(.noErrors) }
        let described = Self.parameters(describedIn: comment)
        if !described.isEmpty, Set(described) != Set(parameters) { faults.append(.notAllParameters) }
        self.faults = faults
    }

    /// The names behind `- Parameter`, and in the list below `- Parameters:`.
    private static func parameters(describedIn comment: [Substring]) -> [String] {
        var names: [String] = []
        var isInList = false
        for line in comment {
            if line.hasPrefix("- Parameter ") {
                names.append(String(line.dropFirst(12).prefix { $0 != ":" }))
            } else if isInList, line.hasPrefix("  - ") {
                names.append(String(line.dropFirst(4).prefix { $0 != ":" }))
            }
            if line.hasPrefix("- ") { isInList = line.hasPrefix("- Parameters:") }
        }
        return names
    }
}
