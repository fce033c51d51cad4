import PersistentStores

/// What somebody would do by hand for a new file with all rows: `INSERT ... SELECT` in SQLite's shell.
///
/// It has the advantages that ferry takes: a new file without a journal that nothing waits for until the end, the same
/// cache (more of it made the shell slower), indexes after the rows, links copied as whole records (`SELECT *`). It
/// makes the same tables and indexes, but no metadata and no entity numbers, counts nothing and checks nothing.
/// At the end its bytes are on the device as ferry's are: the file and then its folder are synchronized, and timed.
struct TransferReference {
    let shell: SQLiteShell
    private let script: String

    /// - Parameter values: SQL for the columns of an order that are not copied from columns of the same name.
    init(
        shell: SQLiteShell, from source: OrderStore, to destination: OrderStore, store: String, values: [String: String]
    ) throws {
        self.shell = shell
        let columns = destination.layout.tables.first { $0.name == "ZORDER" }?.columns.map(\.name) ?? []
        let values = columns.map { values[$0] ?? $0 }
        let join = destination.joinTableName
        script =
            OrderStore.newFile + """
                PRAGMA locking_mode = EXCLUSIVE;
                PRAGMA cache_size = -4096;
                ATTACH '\(store)' AS source;
                BEGIN;
                \(destination.tables)
                INSERT INTO main.ZCUSTOMER SELECT * FROM source.ZCUSTOMER;
                INSERT INTO main.ZTAG SELECT * FROM source.ZTAG;
                INSERT INTO main.ZORDER (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", "))
                    FROM source.ZORDER;
                INSERT INTO main.\(join) SELECT * FROM source.\(source.joinTableName);
                \(destination.indexes)
                COMMIT;

                """
    }

    func run(into path: String) throws -> Usage {
        let usage = try shell.run(script, on: path).usage
        try FileSystem.synchronize(path)
        try FileSystem.synchronize(FileSystem.directory(of: path))
        return usage
    }
}
