/// A program that replaces code in the tool: a policy, or a value transformer. The first of its words is the program,
/// the others are its arguments.
public struct ExternalProgram: Sendable, Hashable {
    /// The program, then its arguments.
    public let words: [String]

    /// The command line as written, for messages.
    public let text: String

    /// How long to wait for output of the program while an answer is due, in seconds; 0 for no limit.
    public var patience: Int64 = 600

    /// Splits a command line at spaces outside single and double quotes that do not follow a backslash. Nothing else is
    /// interpreted: variables, patterns and pipes require `sh -c '...'`. nil if there are no words, or a quote is not
    /// closed.
    public init?(_ text: String) {
        var words: [String] = []
        var word = ""
        var isInWord = false
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
                isInWord = true
            } else if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                isInWord = true
            } else if character == " " || character == "\t" || character == "\n" {
                if isInWord { words.append(word) }
                (word, isInWord) = ("", false)
            } else {
                word.append(character)
                isInWord = true
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        if isInWord { words.append(word) }
        guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else {
            return nil
        }
        self.words = words
        self.text = text
    }
}
