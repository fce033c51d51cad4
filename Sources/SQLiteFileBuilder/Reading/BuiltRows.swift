public import SQLiteAccess

/// The rows of a file that are read again for another one: those of a file whose build was restarted, copied to an
/// unnamed file table by table, or those of a database.
public final class BuiltRows {
    private let file: OutputFile
    private let pageSize: Int
    private let roots: [String: UInt32]

    init(_ file: OutputFile, pageSize: Int, roots: [String: UInt32]) {
        self.file = file
        self.pageSize = pageSize
        self.roots = roots
    }

    /// Reads the rows of a database that no other process writes.
    ///
    /// - Parameter connection: a connection to the database. It has committed all rows, and must not write to the tables
    ///   as long as they are read.
    /// - Throws: `SQLiteError` if the schema cannot be read; `BuildError` if the file cannot be opened.
    public convenience init(of connection: Connection) throws {
        var roots: [String: UInt32] = [:]
        for row in try connection.rows("SELECT name, rootpage FROM main.sqlite_schema WHERE type = 'table'") {
            if let name = row[0].string, let root = row[1].integer { roots[name] = UInt32(exactly: root) }
        }
        let pageSize = try connection.value("PRAGMA main.page_size").integer ?? 0
        self.init(try OutputFile(reading: connection.path), pageSize: Int(pageSize), roots: roots)
    }

    /// Returns whether there is a table.
    public func has(_ table: String) -> Bool { roots[table] != nil }

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
