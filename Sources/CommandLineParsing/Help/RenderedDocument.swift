/// A file of documentation that was made from a table of commands.
public struct RenderedDocument: Sendable, Hashable {
    /// The name of the file, as in "migrate.md".
    public let name: String

    /// The whole text of the file.
    public let text: String

    /// Makes a document of a file name and its text.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
