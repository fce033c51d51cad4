/// A documentation file that is generated from a table of commands.
public struct RenderedDocument: Sendable, Hashable {
    /// The name of the file, such as "migrate.md".
    public let name: String

    /// The complete text of the file.
    public let text: String

    /// Makes a document from a file name and its text.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
