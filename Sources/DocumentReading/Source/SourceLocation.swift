/// A place in a document: what an error message points to.
public struct SourceLocation: Sendable, Hashable {
    /// The path of the file, or the name that the document's reader was given.
    public var file: String

    /// The line, counted from 1.
    public var line: Int

    /// The column in characters, counted from 1; nil if it is not known.
    public var column: Int?

    /// Makes a place of a file's path, a line and a column, both counted from 1.
    public init(file: String, line: Int, column: Int? = nil) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    /// `file:line:column`, as compilers write it.
    public var description: String {
        "\(file):\(line)" + (column.map { ":\($0)" } ?? "")
    }
}
