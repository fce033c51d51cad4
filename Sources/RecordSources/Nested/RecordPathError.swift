/// An error in a path, and its place.
public struct RecordPathError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path as it was written.
    public let path: String
    /// The offset of the wrong character, counted from 0.
    public let offset: Int
    /// The error, as a clause.
    public let reason: String

    public var description: String {
        "the path '\(path)' cannot be used: \(reason) at character \(offset + 1)"
    }
}
