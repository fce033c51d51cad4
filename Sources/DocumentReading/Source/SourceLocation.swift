/// A location in a document, for error messages.
public struct SourceLocation: Sendable, Hashable {
    /// The path of the file, or the name that was given to the document's reader.
    public var file: String

    /// The line, counted from 1.
    public var line: Int

    /// The column in characters, counted from 1; nil if unknown.
    public var column: Int?

    /// Makes a location from a file's path, a line and a column, both counted from 1.
    public init(file: String, line: Int, column: Int? = nil) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    /// The location as `file:line:column`, as compilers write it.
    public var description: String {
        "\(file):\(line)" + (column.map { ":\($0)" } ?? "")
    }
}
