/// A variable of the environment that a tool heeds, as help and manual pages show it.
public struct EnvironmentVariable: Sendable, Hashable {
    /// The variable's name, as in `TMPDIR`.
    public let name: String

    /// What the variable does, in sentences.
    public let help: String

    /// Makes a description of a variable, from its name and some sentences.
    public init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}
