/// Something that a rule found in a model.
public struct LintFinding: Sendable, Hashable {
    /// What the finding is about.
    public let code: LintCode

    /// The version that it is in, with its bundle's name; the newer one where it is about two.
    public let version: String

    /// The entity that it is in; nil if it is about the version as a whole.
    public let entity: String?

    /// An attribute, a relationship or a fetched property; the name of an index, a configuration or a fetch request;
    /// nil if it is about the entity or the version as a whole.
    public let property: String?

    /// The file, as far as the user's path leads there.
    public let file: String

    /// The line, counted from 1; nil in compiled models, which have none.
    public let line: Int?

    /// What is wrong here, and what to do where it is not the same everywhere; no capital, no full stop.
    public let message: String

    /// How serious it is: as its code says, unless a gate raises it.
    public internal(set) var severity: LintSeverity

    /// `Entity.property`, or as much of it as there is; nil if there is neither.
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

    /// The order of a report: by file and line, then by code and name.
    static func precedes(_ left: LintFinding, _ right: LintFinding) -> Bool {
        if left.file != right.file { return left.file < right.file }
        if left.line != right.line { return left.line ?? 0 < right.line ?? 0 }
        return (left.code.rawValue, left.subject ?? "", left.message)
            < (right.code.rawValue, right.subject ?? "", right.message)
    }
}

extension LintFinding: CustomStringConvertible {
    /// `file:line: severity: Entity.property: what is wrong [code]`, as compilers write it.
    public var description: String {
        let place = file + (line.map { ":\($0)" } ?? "")
        return "\(place): \(severity.rawValue): \(subject.map { $0 + ": " } ?? "")\(message) [\(code.rawValue)]"
    }
}
