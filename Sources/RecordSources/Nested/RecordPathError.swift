/// What is wrong with a path, and where in it.
public struct RecordPathError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path as it was written.
    public let path: String
    /// The offset of the character that is wrong, counted from 0.
    public let offset: Int
    /// What is wrong with it, as a clause.
    public let reason: String

    public var description: String {
        "the path '\(path)' cannot be used: \(reason) at character \(offset + 1)"
    }
}
