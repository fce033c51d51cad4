/// Why a file of silences is refused: everything that is wrong with it.
public struct LintSilenceErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// Each with its place.
    public let messages: [String]

    public var description: String { messages.joined(separator: "\n") }
}
