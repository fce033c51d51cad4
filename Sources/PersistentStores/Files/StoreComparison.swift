import SQLiteAccess

/// Compares the content of two stores, regardless of how their files were written.
enum StoreComparison {
    /// Compares schema, rows and external data; returns false if one of the stores cannot be read, or both are the same
    /// file.
    static func isSame(_ left: StoreFiles, _ right: StoreFiles, isCancelled: (() -> Bool)? = nil) -> Bool {
        // Another name of the same file is not a second copy.
        guard !FileSystem.isSameFile(left.path, right.path) else { return false }
        return (try? hasSameRows(left, right, isCancelled)) ?? false
            && (try? hasSameFiles(left.supportDirectory, right.supportDirectory, isCancelled)) ?? false
    }

    private static func hasSameRows(
        _ left: StoreFiles, _ right: StoreFiles, _ isCancelled: (() -> Bool)?
    ) throws(SQLiteError) -> Bool {
        let timeout = LockTimeout.milliseconds
        let first = try Connection(path: left.path, access: .readOnly, busyTimeout: timeout)
        let second = try Connection(path: right.path, access: .readOnly, busyTimeout: timeout)
        for connection in [first, second] { connection.onProgress(everyInstructions: 100_000, isCancelled) }
        let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
        let objects = try first.rows(schema)
        guard try objects == second.rows(schema) else { return false }
        for setting in ["user_version", "application_id"]
        where try first.value("PRAGMA \(setting)") != second.value("PRAGMA \(setting)") { return false }
        for object in objects where object[0].string == "table" {
            // A virtual table is left out: the tables beneath it are compared.
            guard let name = object[1].string, object[3].string?.uppercased().hasPrefix("CREATE VIRTUAL") != true else {
                continue
            }
            guard try hasSameRows(first, second, table: name) else { return false }
        }
        return true
    }

    private static func hasSameRows(
        _ first: Connection, _ second: Connection, table: String
    ) throws(SQLiteError) -> Bool {
        let query = "SELECT * FROM \(SQLiteIdentifier.quoted(table))"
        let (left, right) = (try first.prepare(query), try second.prepare(query))
        while try left.step() {
            guard try right.step() else { return false }
            for column in 0..<left.columnCount where left.value(column) != right.value(column) { return false }
        }
        return try !right.step()
    }

    /// Returns whether two folders have the same files with the same bytes; also true if neither exists.
    private static func hasSameFiles(
        _ left: String, _ right: String, _ isCancelled: (() -> Bool)?
    ) throws(FileError) -> Bool {
        guard FileSystem.isDirectory(left) || FileSystem.isDirectory(right) else { return true }
        let names = try FileSystem.names(in: left)
        guard try names == FileSystem.names(in: right) else { return false }
        for name in names {
            if isCancelled?() ?? false { return false }
            let (first, second) = (left + "/" + name, right + "/" + name)
            if FileSystem.isDirectory(first) {
                guard try hasSameFiles(first, second, isCancelled) else { return false }
            } else {
                guard try FileSystem.hasSameContent(first, second) else { return false }
            }
        }
        return true
    }
}
