/// An error in a step of an edit.
public struct EditError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The step, in the form for messages.
    public let step: String
    /// The problem, as a clause.
    public let reason: String

    init(_ step: EditStep, _ reason: String) {
        self.step = step.description
        self.reason = reason
    }

    public var description: String { "\(step): \(reason)" }
}
