/// A program that does what code of a tool could do: a policy, or a value transformer. The first of its words is the program,
/// the others are its arguments.
public struct ExternalProgram: Sendable, Hashable {
    /// The program, then its arguments.
    public let words: [String]

    /// The command line as it was written, for messages.
    public let text: String

    /// How long the program may say nothing while an answer is awaited, in seconds; 0 for as long as it likes.
    public var patience: Int64 = 600

    /// Splits a command line at spaces, outside of single and double quotes and not behind a backslash. Nothing else
    /// has a meaning: no variables, patterns or pipes, for which the words are `sh -c '...'`. nil without a word, and
    /// for a quote without its end.
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
