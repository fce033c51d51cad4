/// An error without its location in the expression, which is added later; a context may throw it, too.
public struct EvaluationFault: Error, Hashable, Sendable {
    /// The kind of the error.
    public let code: EvaluationError.Code
    /// A clause about what was found.
    public let detail: String

    /// Makes a fault from a code, and a clause about what was found.
    public init(_ code: EvaluationError.Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension EvaluationFault {
    static let objectIDsUnknown = EvaluationFault(
        .objectIDInvalid, "objects are not known by their IDs here; compare one of their attributes")

    /// Returns the fault of comparing an object with a value of another type.
    static func notAnObject(_ kind: String) -> EvaluationFault {
        EvaluationFault(
            .typeMismatch,
            "an object is compared with \(kind); compare one of its attributes, or give an object ID "
                + "(\"x-coredata://STORE/Entity/p1\")")
    }

    /// Returns the fault of comparing a relationship's objects as a whole with a single value.
    static func notACollection(_ kind: String) -> EvaluationFault {
        EvaluationFault(
            .typeMismatch,
            "a to-many relationship is compared with \(kind); write ANY or ALL before it, or compare its @count")
    }
}

extension EvaluationFault: CustomStringConvertible {
    public var description: String { detail }
}
