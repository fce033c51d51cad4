import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Reads every page of a source before anything takes its place: what is damaged gives values that look like others.
enum SourceVerification {
    /// What is wrong with the pages of a database; empty if it is sound.
    ///
    /// - Parameters:
    ///   - comparesIndexes: whether the indexes are compared with their tables too, which takes longer; what is wrong
    ///     then is told in SQLite's words.
    ///   - isCancelled: asked meanwhile; if it is true, the error of an interruption is thrown.
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

    /// What SQLite finds wrong with a database as the connection has it, with changes that are not committed.
    static func faultsFoundBySQLite(
        _ connection: Connection, comparesIndexes: Bool
    ) throws(SQLiteError) -> [String] {
        let check = comparesIndexes ? "integrity_check" : "quick_check"
        let answer = try connection.rows("PRAGMA main.\(check)(\(mostFaults))").compactMap { $0[0].string }
        return answer == ["ok"] ? [] : answer
    }

    /// More would not be read.
    private static let mostFaults = 5
}

extension MigrationRun {
    /// Throws `StoreError.corrupt` where the store that the user named is damaged; what the steps of a chain have made
    /// is checked as a result.
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
