import PersistentStores
import SQLiteAccess

/// How far the steps of a staged file are, in a table of that file: it changes with the rows, in the same transaction.
///
/// A process that is killed leaves what the last transaction has made; what it had told the device so far does not
/// matter, since the system still has it. After the machine itself went down the table may say more than is there: so
/// the identity names its start.
final class StepJournal {
    static let table = "FERRY_PROGRESS"

    private struct Progress {
        /// The first primary key that is still to be transferred; nil if the step is finished.
        var next: Int64?
        var rows: Int64
    }

    private let connection: Connection
    private var progress: [Int: Progress] = [:]

    /// Begins a table in a file without one, or goes on with the one that is there.
    init(_ connection: Connection, identity: String) throws(SQLiteError) {
        self.connection = connection
        if try !Self.fits(connection, identity) {
            try connection.execute(
                "CREATE TABLE main.\(Self.table) (step INTEGER PRIMARY KEY, next, rows INTEGER)")
            try connection.execute("INSERT INTO main.\(Self.table) VALUES (-1, ?1, 0)", [.string(identity)])
        }
        for row in try connection.rows("SELECT step, next, rows FROM main.\(Self.table) WHERE step >= 0") {
            guard let step = row[0].integer, let rows = row[2].integer else { continue }
            progress[Int(step)] = Progress(next: row[1].integer, rows: rows)
        }
    }

    /// Whether a database has the table of just these steps.
    static func fits(_ connection: Connection, _ identity: String) throws(SQLiteError) -> Bool {
        let tables = "SELECT 1 FROM main.sqlite_master WHERE name = '\(table)'"
        guard try connection.value(tables) != .null else { return false }
        return try connection.value("SELECT next FROM main.\(table) WHERE step = -1").string == identity
    }

    func isFinished(_ step: Int) -> Bool { progress[step].map { $0.next == nil } ?? false }

    /// The first key that is still to be transferred; nil at the beginning.
    func next(_ step: Int) -> Int64? { progress[step]?.next }

    /// The rows that a step has written so far.
    func rows(_ step: Int) -> Int64 { progress[step]?.rows ?? 0 }

    /// Notes a batch, in its transaction.
    ///
    /// - Parameter next: the first key of the next batch; nil behind the last one.
    func note(_ step: Int, next: Int64?, rows: Int64) throws(SQLiteError) {
        let new = Progress(next: next, rows: self.rows(step) + rows)
        try connection.execute(
            "INSERT OR REPLACE INTO main.\(Self.table) VALUES (?1, ?2, ?3)",
            [.integer(Int64(step)), next.map { .integer($0) } ?? .null, .integer(new.rows)])
        progress[step] = new
    }

    /// Removes the table: the file is what it should be.
    func remove() throws(SQLiteError) { try connection.execute("DROP TABLE main.\(Self.table)") }

    /// What tells the runs of the machine apart; an empty text where the system does not say.
    static let machineStart: String = {
        let bytes = try? FileSystem.contents(of: "/proc/sys/kernel/random/boot_id", upTo: 64)
        return String(decoding: (bytes ?? []).prefix { $0 != 0x0A }, as: UTF8.self)
    }()
}
