/// Text and arguments in the form that roff needs them in.
enum ManualText {
    /// Prose, which roff fills: a sentence a line, as the macro package mdoc wants it.
    static func prose(_ text: String) -> [String] {
        var lines: [String] = []
        var sentence: [String] = []
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        for (index, word) in words.enumerated() {
            sentence.append(flowing(word))
            let next = index + 1 < words.count ? words[index + 1].first : nil
            let endsSentence = word.hasSuffix(".") && (next?.isUppercase ?? true)
            if endsSentence || index + 1 == words.count {
                lines += wrapped(sentence)
                sentence = []
            }
        }
        return lines
    }

    /// A line that stays as it is.
    static func literal(_ line: String) -> String {
        protected(escaped(line, typed.union(["-", "'"])))
    }

    /// A word of a macro line: not mistaken for a macro, and one word whatever is in it.
    static func argument(_ word: String) -> String {
        var text = escaped(word, ["\"", "-"])
        // Names of macros have two or three characters; so have words that stand for values.
        if (2...3).contains(word.count) || word.first == "." { text = "\\&" + text }
        return text.contains(" ") ? "\"\(text)\"" : text
    }

    private static func flowing(_ word: String) -> String {
        let letters = word.filter { $0.isLetter || $0 == "-" }
        // The hyphens of plain words may break a line; those of options, files and the like are typed as they are.
        let bare = word.hasSuffix(".") || word.hasSuffix(",") || word.hasSuffix(";") ? String(word.dropLast()) : word
        let isPlain = letters == bare && !word.hasPrefix("-")
        return escaped(word, isPlain ? typed : typed.union(["-"]))
    }

    /// What roff would print as something else than what is typed.
    private static let typed: Set<Character> = ["`", "^", "~"]

    /// A text with escapes in place of backslashes and some other characters.
    private static func escaped(_ text: String, _ characters: Set<Character>) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case let character where !characters.contains(character): result.append(character)
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            default: result.append(character)
            }
        }
        return result
    }

    private static func wrapped(_ words: [String]) -> [String] {
        TextWrapping.lines(words.joined(separator: " ")).map(protected)
    }

    /// A line that begins like a request would be one.
    private static func protected(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
