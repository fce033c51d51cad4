/// The errors because of which a file of silences is refused.
public struct LintSilenceErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// The messages, each with its location.
    public let messages: [String]

    public var description: String { messages.joined(separator: "\n") }
}
