/// What a page says that a command prints: a line `...` stands for any lines, and `…` in a line for any characters.
struct PrintedText {
    let shown: [String]

    func matches(_ output: String) -> Bool {
        Self.matches(shown[...], output.split(separator: "\n").map(String.init)[...])
    }

    private static func matches(_ shown: ArraySlice<String>, _ lines: ArraySlice<String>) -> Bool {
        var (shown, lines) = (shown.drop { $0.isEmpty }, lines)
        while let expected = shown.popFirst() {
            if expected.isEmpty { continue }
            if expected == "..." {
                if shown.isEmpty { return true }
                return lines.indices.contains { matches(shown, lines[$0...]) }
            }
            guard let line = lines.popFirst(), fits(line, expected) else { return false }
        }
        return lines.isEmpty
    }

    private static func fits(_ line: String, _ shown: String) -> Bool {
        var rest = line[...]
        for (index, part) in shown.split(separator: "…", omittingEmptySubsequences: false).enumerated() {
            if index == 0 {
                guard rest.hasPrefix(part) else { return false }
                rest = rest.dropFirst(part.count)
            } else if part.isEmpty {
                rest = rest[rest.endIndex...]
            } else {
                guard let range = rest.firstRange(of: part) else { return false }
                rest = rest[range.upperBound...]
            }
        }
        return rest.isEmpty
    }
}
