import Glibc
import SQLiteAccess

/// Ends the unfinished transaction of a program that died: what any program does that opens the store for writing.
public enum JournalRecovery {
    /// How often a journal is looked at that looks hot and cannot be played back, as another program may be at work.
    package struct Looks: Sendable {
        /// Looks after the first one.
        package var again = 20
        /// Nanoseconds between two looks.
        package var pause = 5_000_000
        /// Called before each look after the first one.
        package var beforeNext: (@Sendable () -> Void)?

        /// A tenth of a second in all.
        package init() {}
    }

    /// Rolls a hot journal back, where there is one.
    ///
    /// Returns whether there was.
    /// - Throws: `StoreError.locked` where another process is at it, `.corrupt` where the journal would leave a damaged
    ///   store: one that someone has planted can say anything. The files stay then.
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
            // The first read does it.
            _ = try connection.value("SELECT count(*) FROM sqlite_master")
            try connection.close()
            return true
        }
    }

    /// Whether there is a hot journal; the files stay as they are.
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

    /// Whether there is a hot journal, and it leaves a sound store: a private copy of the store, rolled back, is looked
    /// at.
    ///
    /// Beside a program that writes, a journal can look hot between two of its steps, and be gone when it is read.
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
