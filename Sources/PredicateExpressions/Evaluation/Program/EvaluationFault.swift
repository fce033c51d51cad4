/// What went wrong at a place that does not know where it stands; a context may throw it too.
public struct EvaluationFault: Error, Hashable, Sendable {
    /// The kind of the error.
    public let code: EvaluationError.Code
    /// A clause that says what was found.
    public let detail: String

    /// Makes a fault of a kind, and a clause that says what was found.
    public init(_ code: EvaluationError.Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension EvaluationFault {
    static let objectIDsUnknown = EvaluationFault(
        .objectIDInvalid, "objects are not known by their IDs here; compare one of their attributes")

    /// What is wrong where an object is compared with a value of another kind.
    static func notAnObject(_ kind: String) -> EvaluationFault {
        EvaluationFault(
            .typeMismatch,
            "an object is compared with \(kind); compare one of its attributes, or give an object ID "
                + "(\"x-coredata://STORE/Entity/p1\")")
    }

    /// What is wrong where a relationship's objects as a whole are compared with a single value.
    static func notACollection(_ kind: String) -> EvaluationFault {
        EvaluationFault(
            .typeMismatch,
            "a to-many relationship is compared with \(kind); write ANY or ALL before it, or compare its @count")
    }
}

extension EvaluationFault: CustomStringConvertible {
    public var description: String { detail }
}
