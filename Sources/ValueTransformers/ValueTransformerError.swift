/// What a value transformer cannot convert, in a sentence.
public struct ValueTransformerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    public let description: String

    /// Makes an error of a sentence; transformers of a program may throw it, too.
    public init(_ description: String) {
        self.description = description
    }
}
