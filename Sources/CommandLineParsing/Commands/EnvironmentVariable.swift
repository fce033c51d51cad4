/// An environment variable that a tool uses, for help and manual pages.
public struct EnvironmentVariable: Sendable, Hashable {
    /// The variable's name, such as `TMPDIR`.
    public let name: String

    /// The effect of the variable, in sentences.
    public let help: String

    /// Makes a description of a variable from its name and some sentences.
    public init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}
