import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Checks every page of a source before the source is replaced, because damaged pages may contain values that look
/// valid.
enum SourceVerification {
    /// Returns the faults in the pages of a database; an empty array if it has none.
    ///
    /// - Parameters:
    ///   - connection: a connection to the database.
    ///   - comparesIndexes: whether the indexes are also compared with their tables, which takes longer. The faults are
    ///     described by SQLite then, if it finds any.
    ///   - isCancelled: called during the check; if it returns true, SQLite's interruption error is thrown.
    static func faults(
        of connection: Connection, comparesIndexes: Bool, isCancelled: (() -> Bool)? = nil
    ) throws(SQLiteError) -> [String] {
        let check = DatabaseCheck(
            connection, most: mostFaults, comparesIndexes: comparesIndexes, isCancelled: isCancelled)
        let faults = try check.faults()
        guard comparesIndexes, !faults.isEmpty else { return faults }
        connection.onProgress(everyInstructions: 100_000, isCancelled)
        defer { connection.onProgress(everyInstructions: 0, nil) }
        let told = try faultsFoundBySQLite(connection, comparesIndexes: true)
        return told.isEmpty ? faults : told
    }

    /// Returns the faults that SQLite finds in a database as the connection sees it, including uncommitted changes.
    static func faultsFoundBySQLite(
        _ connection: Connection, comparesIndexes: Bool
    ) throws(SQLiteError) -> [String] {
        let check = comparesIndexes ? "integrity_check" : "quick_check"
        let answer = try connection.rows("PRAGMA main.\(check)(\(mostFaults))").compactMap { $0[0].string }
        return answer == ["ok"] ? [] : answer
    }

    /// No one would read more of them.
    private static let mostFaults = 5
}

extension MigrationRun {
    /// Throws `StoreError.corrupt` if the store that the user named is damaged. The intermediate stores of a chain are
    /// not checked, because each of them was verified as a result.
    func checkSource(_ plan: MigrationPlan) throws {
        guard plan.inputPath == plan.sourcePath else { return }
        let store = try SQLiteStore(path: plan.sourcePath, shownAs: plan.shownPath)
        defer { try? store.connection.close() }
        try checkSource(store.connection, path: plan.shownPath)
    }

    func checkSource(_ connection: Connection, path: String) throws {
        try timed("reading the source") {
            try registerCoreDataFunctions(connection)
            let faults: [String]
            do throws(SQLiteError) {
                faults = try SourceVerification.faults(
                    of: connection, comparesIndexes: options.verifiesFully, isCancelled: options.isCancelled)
            } catch {
                if error.isInterrupted, options.isCancelled?() ?? false {
                    throw MigrationError(.cancelled, path: path)
                }
                throw StoreError(error, path: path)
            }
            guard faults.isEmpty else { throw StoreError(.corrupt(faults.joined(separator: "; ")), path: path) }
        }
    }
}
