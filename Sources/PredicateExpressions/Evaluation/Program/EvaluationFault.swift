/// What went wrong at a place that does not know where it stands; a context may throw it too.
public struct EvaluationFault: Error, Hashable, Sendable {
    public let code: EvaluationError.Code
    /// A clause that says what was found.
    public let detail: String

    public init(_ code: EvaluationError.Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension EvaluationFault: CustomStringConvertible {
    public var description: String { detail }
}
