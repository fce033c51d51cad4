/// What a policy did that cannot be, in a sentence; policies may throw it too.
public struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
