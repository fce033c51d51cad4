/// The rows of a file whose build was restarted, copied to an unnamed file table by table.
public final class BuiltRows {
    private let file: OutputFile
    private let pageSize: Int
    private let roots: [String: UInt32]

    init(_ file: OutputFile, pageSize: Int, roots: [String: UInt32]) {
        self.file = file
        self.pageSize = pageSize
        self.roots = roots
    }

    /// Releases the space of the rows on another thread. They cannot be read any more.
    public func discard() { file.discard() }

    /// Begins to read a table.
    /// - Throws: `BuildError` of the kind `unknownTable` if there is no such table; another kind if the file cannot be
    ///   read.
    public func scan(_ table: String) throws(BuildError) -> LeafScan {
        guard let root = roots[table] else { throw BuildError(.unknownTable(table), path: file.path) }
        return try LeafScan(file, root: root, pageSize: pageSize)
    }
}
