/// A file of documentation that was made from a table of commands.
public struct RenderedDocument: Sendable, Hashable {
    /// The name of the file, as in "migrate.md".
    public let name: String

    public let text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
