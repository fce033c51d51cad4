/// A variable of the environment that a tool heeds, as help and manual pages show it.
public struct EnvironmentVariable: Sendable, Hashable {
    public let name: String

    /// Sentences.
    public let help: String

    public init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}
