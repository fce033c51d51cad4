/// An error of a policy. Policies may throw it too.
public struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that describes the error.
    public let description: String

    /// Creates an error with a description.
    public init(_ description: String) {
        self.description = description
    }
}
