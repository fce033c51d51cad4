/// A reason why objects that are exported with a mapping could not be imported again with it, or a note for the user.
public struct ExportProblem: Sendable, Hashable {
    /// The place in the mapping, such as `employees: Employee.salary`.
    public let place: String
    /// The reason and its remedy, as a clause.
    public let reason: String

    /// Creates a problem from a place in the mapping, and a clause with the reason and its remedy.
    public init(_ place: String, _ reason: String) {
        self.place = place
        self.reason = reason
    }
}

extension ExportProblem: CustomStringConvertible {
    public var description: String { "\(place): \(reason)" }
}

/// The error for a mapping that has no inverse; it is thrown before anything is written, and contains all reasons.
public struct ExportError: Error, Sendable, CustomStringConvertible {
    /// All reasons, in the order of the mapping.
    public let problems: [ExportProblem]

    public var description: String {
        "the mapping cannot be inverted; export without it, or change it:"
            + problems.map { "\n  \($0)" }.joined()
    }
}
