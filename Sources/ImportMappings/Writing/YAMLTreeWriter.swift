internal import DocumentReading

/// Writes a tree as YAML: short maps and lists on one line, and the comments of a block aligned in one column.
struct YAMLTreeWriter {
    private(set) var lines: [String] = []

    /// The maximum width of a line, except for texts that cannot be broken, and comments.
    private static let largestWidth = 110
    /// The maximum column of comments at the ends of lines.
    private static let largestCommentColumn = 64

    static func text(_ entries: [YAMLTree.Entry]) -> String {
        var writer = YAMLTreeWriter()
        writer.write(entries, indent: 0)
        return writer.lines.joined(separator: "\n") + "\n"
    }

    /// Writes the entries of a map; `lead` replaces the indentation of the first one.
    private mutating func write(_ entries: [YAMLTree.Entry], indent: Int, lead: String? = nil) {
        let margin = String(repeating: " ", count: indent)
        let column = commentColumn(entries, indent: indent)
        var isFirst = true
        for entry in entries {
            for line in entry.comment.before {
                // Comments above the first entry of an item are written above its dash.
                let place = isFirst ? lead.map { String($0.prefix { $0 == " " }) } ?? margin : margin
                lines.append(line.isEmpty ? "" : place + YAMLScalarText.comment(line))
            }
            write(entry, start: isFirst ? lead ?? margin : margin, indent: indent, commentColumn: column)
            isFirst = false
        }
    }

    private mutating func write(_ entry: YAMLTree.Entry, start: String, indent: Int, commentColumn: Int) {
        let inside = indent + 2
        if let line = Self.oneLine(entry, indent: indent) {
            append(start + line, beside: entry.comment.beside, at: commentColumn)
        } else {
            let head = start + YAMLScalarText.scalar(entry.key) + ":"
            switch entry.value {
            case .text(let text):
                append(head + (text.hasSuffix("\n") ? " |" : " |-"), beside: entry.comment.beside, at: commentColumn)
                for line in text.split(separator: "\n", omittingEmptySubsequences: false)
                    .dropLast(text.hasSuffix("\n") ? 1 : 0)
                {
                    lines.append(line.isEmpty ? "" : String(repeating: " ", count: inside) + line)
                }
            case .map(let entries):
                append(head, beside: entry.comment.beside, at: commentColumn)
                write(entries, indent: inside)
            case .list(let items):
                append(head, beside: entry.comment.beside, at: commentColumn)
                for item in items { write(item: item, indent: inside) }
            case .word: break
            }
        }
        for line in entry.comment.after {
            lines.append(line.isEmpty ? "" : String(repeating: " ", count: inside) + YAMLScalarText.comment(line))
        }
    }

    private mutating func write(item: YAMLTree, indent: Int) {
        let dash = String(repeating: " ", count: indent) + "- "
        if case .map(let entries) = item, !entries.isEmpty {
            write(entries, indent: indent + 2, lead: dash)
        } else {
            lines.append(dash + Self.flow(item))
        }
    }

    private mutating func append(_ line: String, beside comment: String?, at column: Int) {
        guard let comment else {
            lines.append(line)
            return
        }
        let gap = max(2, column - line.count)
        lines.append(line + String(repeating: " ", count: gap) + YAMLScalarText.comment(comment))
    }

    /// Returns the column two positions after the longest line with a comment at its end.
    private func commentColumn(_ entries: [YAMLTree.Entry], indent: Int) -> Int {
        let widths = entries.filter { $0.comment.beside != nil }.map { entry in
            indent + (Self.oneLine(entry, indent: indent)?.count ?? entry.key.count + 1)
        }
        return 2 + (widths.filter { $0 <= Self.largestCommentColumn }.max() ?? 0)
    }

    // MARK: One line

    /// Returns an entry on one line; nil if it needs several.
    private static func oneLine(_ entry: YAMLTree.Entry, indent: Int) -> String? {
        let key = YAMLScalarText.scalar(entry.key) + ": "
        switch entry.value {
        case .word(let word): return key + word
        case .text(let text): return canBeLiteral(text) ? nil : key + scalar(text)
        case .list(let items) where items.allSatisfy(isSimple), .list(let items) where items.isEmpty:
            let line = key + flow(.list(items))
            return indent + line.count <= largestWidth ? line : nil
        case .map(let entries) where entries.allSatisfy({ isSimple($0.value) && $0.comment == MappingComment() }):
            let line = key + flow(.map(entries))
            // Maps with many entries are easier to read with one entry per line.
            return indent + line.count <= largestWidth && entries.count <= 6 ? line : nil
        default: return nil
        }
    }

    /// Returns whether a tree is at most a list of texts, or a map of those.
    private static func isSimple(_ tree: YAMLTree) -> Bool {
        switch tree {
        case .text(let text): !canBeLiteral(text)
        case .word: true
        case .list(let items): items.allSatisfy { if case .text = $0 { true } else { false } }
        case .map(let entries):
            entries.allSatisfy { entry in
                // Comments need separate lines.
                if case .text = entry.value { entry.comment == MappingComment() } else { false }
            }
        }
    }

    /// Returns whether a text of several lines can be written literally, indented.
    private static func canBeLiteral(_ text: String) -> Bool {
        guard text.contains("\n"), let first = text.unicodeScalars.first, first != " ", first != "\n",
            !text.hasSuffix("\n\n")
        else { return false }
        return text.unicodeScalars.allSatisfy { 0x20...0x7E ~= $0.value || $0 == "\n" || 0xA1...0xD7FF ~= $0.value }
            && !text.unicodeScalars.contains { $0.value == 0x2028 || $0.value == 0x2029 }
    }

    private static func flow(_ tree: YAMLTree) -> String {
        switch tree {
        case .text(let text): return isNumber(text) ? text : YAMLScalarText.flowScalar(text)
        case .word(let word): return word
        case .list(let items): return "[" + items.map(flow).joined(separator: ", ") + "]"
        case .map(let entries):
            return "{"
                + entries.map { YAMLScalarText.flowScalar($0.key) + ": " + flow($0.value) }
                .joined(separator: ", ") + "}"
        }
    }

    private static func scalar(_ text: String) -> String {
        isNumber(text) ? text : YAMLScalarText.scalar(text)
    }

    /// Returns whether a text is a number in its usual form, which the reader takes for the same text.
    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard text.utf8.count <= 15, text.utf8.count - digits.count <= 1, let first = digits.first else { return false }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { 0x30...0x39 ~= $0 } }) else {
            return false
        }
        return first != UInt8(ascii: "0") || parts[0].count == 1
    }
}
