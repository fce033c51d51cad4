import DocumentReading

/// Reads the lines of a file of rules.
struct SwiftDataRuleParser {
    private let source: SourceText
    private var found: [SwiftDataRules.Rule] = []
    private var entity: String?
    private var property: String?
    private var reason: String?

    init(_ source: SourceText) {
        self.source = source
    }

    mutating func rules() throws(DocumentErrors) -> [SwiftDataRules.Rule] {
        var hasBegun = false
        let lines = String(decoding: source.bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = String(line).trimmingBlanks
            if text.isEmpty || text.hasPrefix("#") { continue }
            if hasBegun {
                try read(text, line: index + 1)
            } else if text == SwiftDataRules.firstLine {
                hasBegun = true
            } else {
                throw beginning(line: index + 1)
            }
        }
        guard hasBegun else { throw beginning(line: 1) }
        if reason != nil { throw error("\"stored as\" must follow", line: lines.count) }
        return found
    }

    private mutating func read(_ text: String, line: Int) throws(DocumentErrors) {
        if let name = Self.rest(of: text, after: "entity "), reason == nil {
            (entity, property) = (name, nil)
        } else if let name = Self.rest(of: text, after: "property "), reason == nil, entity != nil {
            property = name
        } else if let text = Self.rest(of: text, after: "because "), reason == nil, property != nil {
            reason = text
        } else if let answer = Self.rest(of: text, after: "stored as "), let entity, let property, let reason {
            let rule = SwiftDataRules.Rule(entity: entity, property: property, reason: reason, answer: answer)
            guard !found.contains(where: rule.concernsSame) else {
                throw error("\(entity).\(property) is answered twice for this reason; remove one answer", line: line)
            }
            found.append(rule)
            self.reason = nil
        } else {
            throw error(
                "this must be \"entity NAME\", \"property NAME\", or \"because REASON\" and \"stored as ANSWER\" of a "
                    + "property", line: line)
        }
    }

    private static func rest(of text: String, after word: String) -> String? {
        text.hasPrefix(word) ? String(text.dropFirst(word.count)).trimmingBlanks : nil
    }

    private func beginning(line: Int) -> DocumentErrors {
        error("the file must begin with \"\(SwiftDataRules.firstLine)\"", line: line)
    }

    private func error(_ sentence: String, line: Int) -> DocumentErrors {
        let location = SourceLocation(file: source.name, line: line, column: 1)
        return DocumentErrors([
            DocumentError(.unacceptable, sentence, at: location, excerpt: source.excerpt(at: location))
        ])
    }
}
