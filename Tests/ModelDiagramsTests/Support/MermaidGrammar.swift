/// The part of Mermaid's grammar of class diagrams that is written here: a front matter, classes with members,
/// relations with multiplicities and labels, styles.
struct MermaidGrammar {
    /// The lines that the grammar has no place for, with what is wrong.
    private(set) var faults: [String] = []
    private(set) var classes: Set<String> = []
    private(set) var relations = 0

    private static let relationOperators = ["<|--", "-->", "..>", "--", ".."]

    init(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
        guard text.hasSuffix("\n"), lines.popLast() == "", lines.popFirst() == "---",
            lines.popFirst()?.wholeMatch(of: /title: "([^"\\]|\\["\\])*"/) != nil, lines.popFirst() == "---",
            lines.popFirst() == "classDiagram"
        else {
            faults.append("no front matter with a title, or no classDiagram after it")
            return
        }
        var isInClass = false
        for line in lines {
            if isInClass {
                if line == "}" { isInClass = false } else if !isMember(line) { faults.append("member: \(line)") }
            } else if let match = line.wholeMatch(of: /class (e[0-9]+)\["([^"]*)"\]( \{)?/) {
                if !isText(match.2) { faults.append("name: \(line)") }
                if !classes.insert(String(match.1)).inserted { faults.append("twice: \(line)") }
                isInClass = match.3 != nil
            } else if line.wholeMatch(of: /direction (LR|RL|TB|BT)/) != nil {
                continue
            } else if let match = line.wholeMatch(of: /style (e[0-9]+) fill:#\w{6},stroke:#\w{6},color:#\w{3,6}/) {
                if !classes.contains(String(match.1)) { faults.append("style of no class: \(line)") }
            } else {
                relations += 1
                if let fault = relationFault(line) { faults.append("\(fault): \(line)") }
            }
        }
        if isInClass { faults.append("a class without an end") }
    }

    /// An annotation, or anything without braces: Mermaid takes members as they are.
    private func isMember(_ line: String) -> Bool {
        guard line.hasPrefix("    ") else { return false }
        return line == "    <<abstract>>" || isText(line.dropFirst(4))
    }

    /// Words in which nothing means anything to Mermaid: its numeric entities, and neither quotes, brackets nor
    /// hyphens.
    private func isText(_ text: Substring) -> Bool {
        let plain = text.replacing(/#[0-9]+;/, with: "")
        return !text.isEmpty && !plain.contains { "#;\"'`{}[]()<>|&\\%~:-=@^\t\r".contains($0) || $0.isNewline }
    }

    private func relationFault(_ line: String) -> String? {
        let parts = line.split(separator: " : ", maxSplits: 1, omittingEmptySubsequences: false)
        var words = parts[0].split(separator: " ").map(String.init)[...]
        guard let first = words.popFirst(), let last = words.popLast() else { return "no relation" }
        for end in [first, last] where !classes.contains(end) { return "no class \(end)" }
        for isFirst in [true, false] {
            guard let word = isFirst ? words.first : words.last, word.hasPrefix("\"") else { continue }
            guard word.count > 2, word.dropFirst().dropLast().wholeMatch(of: /[0-9]+(\.\.([0-9]+|\*))?|\*/) != nil
            else {
                return "no multiplicity"
            }
            _ = isFirst ? words.popFirst() : words.popLast()
        }
        guard words.count == 1, let sign = words.first, Self.relationOperators.contains(sign) else {
            return "no operator"
        }
        if parts.count == 2, !isText(parts[1]) { return "no label" }
        return parts.count == 2 || sign == "<|--" ? nil : "a relationship without a name"
    }
}
