internal import CSQLite
internal import Glibc

/// A copy of a database with a hot journal, which is rolled back without changing the original.
///
/// It is in its own temporary folder, and takes as much space as the original. The folder is removed when this object
/// is deallocated: by then a connection has opened the copy, which continues to exist without a name.
final class RecoveredCopy {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/database" }

    /// The URI of the copy as an immutable file, since no other process can change it.
    var uri: String {
        DatabaseLocation.uri(path, ["mode=ro", "immutable=1"])
    }

    /// Returns nil if the journal is no longer hot because another process has rolled it back.
    init?(of location: DatabaseLocation, busyTimeout milliseconds: Int32) throws(SQLiteError) {
        let file = try DatabaseFileHandle(location)
        // While the lock is held, no other process can roll back or write.
        try Self.lock(file, milliseconds)
        guard try location.hasHotJournal(file) else { return nil }
        try RollbackJournal(of: location)?.checkSizes(file)
        do {
            folder = try TemporaryFolder(kind: "ferry-copy-")
        } catch {
            throw TemporaryFile.cannotWrite(error.parent, error.number, for: location.given)
        }
        let size = try file.size()
        let output = try TemporaryFile(path, for: location.given)
        try output.copy(size) { buffer, offset throws(SQLiteError) in
            try file.read(into: &buffer, at: offset)
        }
        try copyJournal(location)
        try copy(location.writeAheadLog, to: path + "-wal", location)
        try rollBack(location)
    }

    private static func lock(_ file: DatabaseFileHandle, _ milliseconds: Int32) throws(SQLiteError) {
        var round = 0
        while true {
            do throws(SQLiteError) {
                return try file.lockForReading()
            } catch {
                guard error.isBusy, LockWait.pause(Int(milliseconds), round: round) else { throw error }
                round += 1
            }
        }
    }

    /// Copies the journal. A transaction over several databases has a super-journal: while that file exists, the
    /// transaction is not committed, and the journal counts; once it is deleted, the journal is a remnant. The copy is
    /// not part of that transaction, so its journal must not name the super-journal, which SQLite would delete after
    /// the rollback.
    private func copyJournal(_ location: DatabaseLocation) throws(SQLiteError) {
        let superJournal = try SuperJournalRecord(ofJournal: location.journal, for: location.given)
        if let superJournal, unsafe access(superJournal.path, F_OK) != 0 { return }
        try copy(location.journal, to: path + "-journal", location)
        guard let superJournal else { return }
        let output = try TemporaryFile(path + "-journal", for: location.given)
        try output.write([UInt8](repeating: 0, count: 8), at: superJournal.magicOffset)
    }

    private func copy(_ source: String, to target: String, _ location: DatabaseLocation) throws(SQLiteError) {
        guard let input = try LockFreeFile(source, for: location.given) else { return }
        let output = try TemporaryFile(target, for: location.given)
        try output.copy(try input.size()) { buffer, offset throws(SQLiteError) in
            try input.read(into: &buffer, at: offset)
        }
    }

    /// Lets SQLite roll back the hot journal, which the first read does.
    private func rollBack(_ location: DatabaseLocation) throws(SQLiteError) {
        let handle = unsafe try Connection.opened(DatabaseLocation.uri(path, ["mode=rw"]), of: location.given, 0)
        defer { unsafe sqlite3_close_v2(handle) }
        let code = unsafe sqlite3_exec(handle, "PRAGMA synchronous = OFF; PRAGMA schema_version", nil, nil, nil)
        guard code == SQLITE_OK else { throw unsafe Connection.failure(code, handle, sql: nil, path: location.given) }
    }
}
