internal import DocumentReading
import ManagedObjectModels

/// Rules learned from stores about properties for which no rule of SwiftData is confirmed, kept in a text file.
public struct SwiftDataRules: Sendable, Hashable {
    /// A rule about one property.
    public struct Rule: Sendable, Hashable {
        /// The name of the entity that has the property.
        public let entity: String
        /// The name of the property.
        public let property: String

        /// Why no rule is confirmed; the answer applies to this declaration only.
        public let reason: String

        /// The answer: `Binary`, or another label of `SwiftDataQuestion.Answer`.
        public let answer: String

        /// Makes a rule; line ends in the reason and the answer become spaces.
        public init(entity: String, property: String, reason: String, answer: String) {
            self.entity = entity
            self.property = property
            // A rule is one line of the file.
            self.reason = Self.line(reason)
            self.answer = Self.line(answer)
        }

        private static func line(_ text: String) -> String {
            text.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingBlanks
        }

        /// Returns whether both are about the same declaration of a property.
        func concernsSame(as other: Rule) -> Bool {
            entity == other.entity && property == other.property && reason == other.reason
        }
    }

    /// The name of the file that is read beside the sources.
    public static let fileName = ".ferry-swiftdata"

    /// The maximum size of a file in bytes.
    static let maximumSize = 16 << 20

    static let firstLine = "swiftdata-rules 1"

    /// The rules, in the order in which they were read or added.
    public private(set) var rules: [Rule] = []

    /// Makes rules that are not in a file.
    public init(_ rules: [Rule] = []) {
        self.rules = rules
    }

    /// Reads a file.
    /// - Throws: `DocumentErrors` with the line of the error.
    public init(path: String) throws {
        var parser = SwiftDataRuleParser(try SourceText(path: path, maximumSize: Self.maximumSize))
        rules = try parser.rules()
    }

    /// Returns the default path of the rules for sources, in their folder.
    public static func path(beside source: String) -> String {
        guard FileKind(path: source) != .folder else {
            return source.hasSuffix("/") ? source + fileName : source + "/" + fileName
        }
        let folder = source.lastIndex(of: "/").map { source[...$0] } ?? ""
        return folder + fileName
    }

    /// Returns the answer for a property; nil if none is known for this reason.
    func answer(entity: String, property: String, reason: String) -> String? {
        let asked = Rule(entity: entity, property: property, reason: reason, answer: "")
        return rules.first { $0.concernsSame(as: asked) }?.answer
    }

    /// Returns the contradictions: for each declaration for which the other rules have another answer, this rule and
    /// the other one.
    public func contradictions(to others: SwiftDataRules) -> [(Rule, Rule)] {
        others.rules.compactMap { other in
            rules.first { $0.concernsSame(as: other) && $0.answer != other.answer }.map { ($0, other) }
        }
    }

    /// Returns these rules together with others, which take precedence for the same declaration.
    public func adding(_ others: SwiftDataRules) -> SwiftDataRules {
        var result = self
        for other in others.rules {
            if let place = result.rules.firstIndex(where: { $0.concernsSame(as: other) }) {
                result.rules[place] = other
            } else {
                result.rules.append(other)
            }
        }
        return result
    }

    /// The text of the file: the rules by entity and property.
    public var text: String {
        var lines = [
            "# What stores told where no rule of SwiftData is established (\"ferry hashes --fit STORE --save\").",
            Self.firstLine,
        ]
        var entity: String?
        var property: String?
        let sorted = rules.sorted {
            ($0.entity, $0.property, $0.reason) < ($1.entity, $1.property, $1.reason)
        }
        for rule in sorted {
            if rule.entity != entity {
                lines += ["", "entity \(rule.entity)"]
                property = nil
            }
            if rule.property != property { lines.append("  property \(rule.property)") }
            lines += ["    because \(rule.reason)", "    stored as \(rule.answer)"]
            (entity, property) = (rule.entity, rule.property)
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
