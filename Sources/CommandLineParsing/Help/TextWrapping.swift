/// Breaks text into lines that fit a terminal.
enum TextWrapping {
    /// The maximum number of characters in a line.
    static let width = 80

    /// Returns lines of at most `width` characters, including the indentation; a longer word is on a line of its own.
    static func lines(_ text: String, indentation: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if line.isEmpty {
                line = String(word)
            } else if indentation + line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(margin + line)
                line = String(word)
            }
        }
        if !line.isEmpty { lines.append(margin + line) }
        return lines
    }

    /// Wraps paragraphs; lines that begin with four spaces, and empty lines, are unchanged.
    static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var paragraph = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty || line.hasPrefix("    ") {
                lines += Self.lines(paragraph)
                paragraph = ""
                lines.append(String(line))
            } else {
                paragraph += line + " "
            }
        }
        return lines + Self.lines(paragraph)
    }

    /// Returns two columns: terms on the left, and their meanings wrapped on the right, or below a term that is too
    /// long.
    static func columns(_ rows: [(term: String, meaning: String)]) -> [String] {
        let widest = 26
        let column = min(widest, (rows.map(\.term.count).max() ?? 0) + 2) + 2
        return rows.flatMap { row in
            let meaning = lines(row.meaning, indentation: column)
            let term = "  " + row.term
            guard let first = meaning.first else { return [term] }
            guard term.count + 2 <= column else { return [term] + meaning }
            return [term + first.dropFirst(term.count)] + meaning.dropFirst()
        }
    }
}
