/// What is wrong with a date format.
public struct DatePatternError: Error, Equatable, Sendable, CustomStringConvertible {
    public let pattern: String
    public let reason: String

    public var description: String { "the date format '\(pattern)' cannot be used: \(reason)" }
}
