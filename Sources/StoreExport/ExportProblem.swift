/// Why objects that are exported with a mapping would not come back through it, or something that people should know.
public struct ExportProblem: Sendable, Hashable {
    /// `employees: Employee.salary`
    public let place: String
    /// A clause, and what to do.
    public let reason: String

    /// Makes a problem of a place in the mapping, and a clause that says what is wrong and what to do.
    public init(_ place: String, _ reason: String) {
        self.place = place
        self.reason = reason
    }
}

extension ExportProblem: CustomStringConvertible {
    public var description: String { "\(place): \(reason)" }
}

/// A mapping that has no inverse: all reasons, before anything is written.
public struct ExportError: Error, Sendable, CustomStringConvertible {
    /// All that stands in the way, in the order of the mapping.
    public let problems: [ExportProblem]

    public var description: String {
        "the mapping cannot be inverted; export without it, or change it:"
            + problems.map { "\n  \($0)" }.joined()
    }
}
