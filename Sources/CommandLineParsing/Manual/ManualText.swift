/// Text and arguments in the form that roff requires.
enum ManualText {
    /// Returns prose for roff to fill: one sentence per line, as the macro package mdoc expects.
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

    /// Returns a line that roff prints unchanged.
    static func literal(_ line: String) -> String {
        protected(escaped(line, typed.union(["-", "'"])))
    }

    /// Returns a word for a macro line: never taken for a macro, and always a single word.
    static func argument(_ word: String) -> String {
        var text = escaped(word, ["\"", "-"])
        // Names of macros have two or three characters, as do words that stand for values.
        if (2...3).contains(word.count) || word.first == "." { text = "\\&" + text }
        return text.contains(" ") ? "\"\(text)\"" : text
    }

    private static func flowing(_ word: String) -> String {
        let letters = word.filter { $0.isLetter || $0 == "-" }
        // Lines may be broken at the hyphens of plain words; those of options, files and similar words are printed as
        // typed.
        let bare = word.hasSuffix(".") || word.hasSuffix(",") || word.hasSuffix(";") ? String(word.dropLast()) : word
        let isPlain = letters == bare && !word.hasPrefix("-")
        return escaped(word, isPlain ? typed : typed.union(["-"]))
    }

    /// Characters that roff would otherwise print as others.
    private static let typed: Set<Character> = ["`", "^", "~"]

    /// Returns a text with escapes for backslashes and some other characters.
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

    /// Returns a line that roff does not take for a request, regardless of its beginning.
    private static func protected(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
