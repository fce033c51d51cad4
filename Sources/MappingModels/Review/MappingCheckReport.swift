internal import DocumentReading

/// The result of a review as text and as JSON.
public struct MappingCheckReport: Encodable, Sendable {
    /// An error or a warning, with its location.
    public struct Problem: Encodable, Sendable {
        /// The kind of the problem: the name of a `MappingModelProblem.Kind`.
        public let kind: String
        /// Whether the mapping model can nevertheless be run.
        public let isWarning: Bool
        /// The path of the mapping model's file.
        public let file: String
        /// The line in the file, from 1.
        public let line: Int
        /// The column in characters, from 1; nil if unknown.
        public let column: Int?
        /// The name of the entity mapping; nil if it is about the model as a whole.
        public let entityMapping: String?
        /// The name of the property mapping; nil if it is about the entity mapping.
        public let property: String?
        /// The message.
        public let message: String
    }

    /// The errors and warnings, in the order of the mapping model.
    public let problems: [Problem]

    /// The number of entity mappings.
    public let entityMappings: Int

    /// The errors and warnings as lines with their locations, and a summary.
    public let text: String

    private enum CodingKeys: String, CodingKey {
        case problems, entityMappings
    }

    /// Makes the report of a review.
    public init(_ document: MappingModelDocument, problems found: [MappingModelProblem]) {
        problems = found.map { problem in
            let location = document.location(of: problem.place)
            return Problem(
                kind: problem.kind.rawValue, isWarning: problem.isWarning, file: location.file, line: location.line,
                column: location.column, entityMapping: problem.place.entityMapping, property: problem.place.property,
                message: problem.sentence)
        }
        entityMappings = document.model.entityMappings.count
        hasFileWarnings = !document.warnings.isEmpty
        var lines = document.warnings.map { "warning: \($0)" }
        for problem in found {
            let error = document.error(problem.sentence, at: problem.place)
            lines.append((problem.isWarning ? "warning: " : "error: ") + error.description)
        }
        let errors = found.count { !$0.isWarning }
        let warnings = found.count - errors + document.warnings.count
        lines.append(
            errors + warnings == 0
                ? "\(entityMappings) entity mappings; nothing is wrong with them."
                : "\(entityMappings) entity mappings; errors: \(errors), warnings: \(warnings).")
        text = lines.joined(separator: "\n") + "\n"
    }

    /// Whether there are no problems and no warnings about the file.
    public var isClean: Bool { problems.isEmpty && !hasFileWarnings }

    private let hasFileWarnings: Bool

    /// Whether the mapping model cannot be run.
    public var hasErrors: Bool { problems.contains { !$0.isWarning } }
}
