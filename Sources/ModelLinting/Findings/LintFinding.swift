/// A problem that a rule found in a model.
public struct LintFinding: Sendable, Hashable {
    /// The code of the finding.
    public let code: LintCode

    /// The version that it is about, with its bundle's name; the newer one if it is about two.
    public let version: String

    /// The entity that it is about; nil if it is about the version as a whole.
    public let entity: String?

    /// An attribute, a relationship or a fetched property; the name of an index, a configuration or a fetch request;
    /// nil if it is about the entity or the version as a whole.
    public let property: String?

    /// The path of the file, based on the user's path.
    public let file: String

    /// The line, counted from 1; nil for compiled models.
    public let line: Int?

    /// The problem and, if it depends on the case, the remedy; without a capital letter and a full stop.
    public let message: String

    /// The severity: that of its code, unless a gate raises it.
    public internal(set) var severity: LintSeverity

    /// The subject, `Entity.property` or as much of it as there is; nil if there is neither.
    public var subject: String? {
        switch (entity, property) {
        case (let entity?, let property?): "\(entity).\(property)"
        case (let name?, nil), (nil, let name?): name
        case (nil, nil): nil
        }
    }

    /// Makes a finding with the severity of its code.
    public init(
        _ code: LintCode, version: String, entity: String? = nil, property: String? = nil, file: String,
        line: Int? = nil, message: String
    ) {
        self.code = code
        severity = code.severity
        self.version = version
        self.entity = entity
        self.property = property
        self.file = file
        self.line = line
        self.message = message
    }

    /// Returns whether a finding comes before another in a report: by file and line, then by code and name.
    static func precedes(_ left: LintFinding, _ right: LintFinding) -> Bool {
        if left.file != right.file { return left.file < right.file }
        if left.line != right.line { return left.line ?? 0 < right.line ?? 0 }
        return (left.code.rawValue, left.subject ?? "", left.message)
            < (right.code.rawValue, right.subject ?? "", right.message)
    }
}

extension LintFinding: CustomStringConvertible {
    /// The finding as compilers write it: `file:line: severity: Entity.property: what is wrong [code]`.
    public var description: String {
        let place = file + (line.map { ":\($0)" } ?? "")
        return "\(place): \(severity.rawValue): \(subject.map { $0 + ": " } ?? "")\(message) [\(code.rawValue)]"
    }
}
