/// Why an edit cannot be run: the step, and what is wrong with it.
public struct EditError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The step, as messages name it.
    public let step: String
    /// What is wrong with it, as a clause.
    public let reason: String

    init(_ step: EditStep, _ reason: String) {
        self.step = step.description
        self.reason = reason
    }

    public var description: String { "\(step): \(reason)" }
}
