/// An error in a date format.
public struct DatePatternError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The format as it was written.
    public let pattern: String
    /// The error, as a clause.
    public let reason: String

    public var description: String { "the date format '\(pattern)' cannot be used: \(reason)" }
}
