/// What a policy did that cannot be, in a sentence; policies may throw it too.
public struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    public let description: String

    /// Makes an error of a sentence.
    public init(_ description: String) {
        self.description = description
    }
}
