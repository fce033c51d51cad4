/// A value that a value transformer cannot convert, as a sentence.
public struct ValueTransformerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, as a sentence.
    public let description: String

    /// Makes an error from a sentence; a program's own transformers may throw it, too.
    public init(_ description: String) {
        self.description = description
    }
}
