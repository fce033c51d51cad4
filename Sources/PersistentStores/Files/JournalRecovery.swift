import Glibc
import SQLiteAccess

/// Rolls back the unfinished transaction of a program that died, as any program does that opens the store for writing.
public enum JournalRecovery {
    /// How often a journal is checked that looks hot but cannot be rolled back, because another program may be using
    /// it.
    package struct Looks: Sendable {
        /// The number of checks after the first one.
        package var again = 20
        /// Nanoseconds between two checks.
        package var pause = 5_000_000
        /// Called before each check after the first one.
        package var beforeNext: (@Sendable () -> Void)?

        /// Makes the default, a tenth of a second in all.
        package init() {}
    }

    /// Rolls back a hot journal, if there is one.
    ///
    /// Returns whether there was one.
    /// - Throws: `StoreError.locked` if another process is using the store, `.corrupt` if the journal would leave a
    ///   damaged store, since a planted journal can contain anything. In both cases the files stay as they are.
    public static func rollBack(_ files: StoreFiles, timeout: Int32 = LockTimeout.milliseconds) throws(StoreError)
        -> Bool
    {
        func checked<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
            do {
                return try body()
            } catch {
                throw StoreError(error, path: files.path)
            }
        }
        guard try isNeeded(files, timeout: timeout) else { return false }
        return try checked { () throws(SQLiteError) in
            let connection = try Connection(path: files.path, access: .readWrite, busyTimeout: timeout)
            // The first read rolls the journal back.
            _ = try connection.value("SELECT count(*) FROM sqlite_master")
            try connection.close()
            return true
        }
    }

    /// Returns whether there is a hot journal; does not change the files.
    ///
    /// - Throws: as `rollBack(_:timeout:)` does.
    package static func isNeeded(
        _ files: StoreFiles, timeout: Int32, looks: Looks = Looks()
    ) throws(StoreError) -> Bool {
        do {
            return try isHot(files, timeout, looks)
        } catch {
            throw StoreError(error, path: files.path)
        }
    }

    /// Returns whether there is a hot journal that leaves a valid store, by rolling back a private copy of the store.
    ///
    /// While another program writes, its journal can look hot between two of its steps, and be gone when it is read.
    private static func isHot(_ files: StoreFiles, _ timeout: Int32, _ looks: Looks) throws(SQLiteError) -> Bool {
        var rest = looks.again
        while try DatabaseFile(path: files.path).hasHotJournal {
            do {
                let copy = try Connection(path: files.path, access: .readOnly, busyTimeout: timeout)
                let tables = try copy.rows(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')")
                for name in tables.compactMap({ $0.first?.string }) {
                    _ = try copy.value("SELECT count(*) FROM \(name)")
                }
                try copy.close()
                return true
            } catch {
                guard rest > 0 else { throw error }
                rest -= 1
                var pause = timespec(tv_sec: 0, tv_nsec: looks.pause)
                nanosleep(&pause, nil)
                looks.beforeNext?()
            }
        }
        return false
    }
}
