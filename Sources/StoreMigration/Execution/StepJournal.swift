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
        /// By the table that they went into.
        var rows: [String: Int64] = [:]
    }

    private let connection: Connection
    private var progress: [Int: Progress] = [:]

    /// Begins a table in a file without one, or goes on with the one that is there.
    ///
    /// A row without a name says where a step goes on, one with the name of a table how many rows it has written there.
    init(_ connection: Connection, identity: String) throws(SQLiteError) {
        self.connection = connection
        if try !Self.fits(connection, identity) {
            try connection.execute(
                "CREATE TABLE main.\(Self.table) (step INTEGER, name TEXT, value, PRIMARY KEY (step, name)) WITHOUT ROWID"
            )
            try connection.execute("INSERT INTO main.\(Self.table) VALUES (-1, '', ?1)", [.string(identity)])
        }
        let rows = try connection.rows("SELECT step, name, value FROM main.\(Self.table) WHERE step >= 0 ORDER BY 1, 2")
        for row in rows {
            guard let step = row[0].integer.map({ Int($0) }), let name = row[1].string else { continue }
            if name.isEmpty {
                progress[step] = Progress(next: row[2].integer)
            } else {
                progress[step]?.rows[name] = row[2].integer
            }
        }
    }

    /// Whether a database has the table of just these steps.
    static func fits(_ connection: Connection, _ identity: String) throws(SQLiteError) -> Bool {
        let tables = "SELECT 1 FROM main.sqlite_master WHERE name = '\(table)'"
        guard try connection.value(tables) != .null else { return false }
        return try connection.value("SELECT value FROM main.\(table) WHERE step = -1").string == identity
    }

    func isFinished(_ step: Int) -> Bool { progress[step].map { $0.next == nil } ?? false }

    /// The first key that is still to be transferred; nil at the beginning.
    func next(_ step: Int) -> Int64? { progress[step]?.next }

    /// The rows that a step has written so far, by table.
    func rows(_ step: Int) -> [String: Int64] { progress[step]?.rows ?? [:] }

    /// Notes a batch, in its transaction.
    ///
    /// - Parameters:
    ///   - next: the first key of the next batch; nil behind the last one.
    ///   - rows: those of the batch, by table.
    func note(_ step: Int, next: Int64?, rows: [String: Int64]) throws(SQLiteError) {
        var new = progress[step] ?? Progress()
        new.next = next
        try write(step, "", next.map { .integer($0) } ?? .null)
        for (table, count) in rows where count > 0 {
            let sum = (new.rows[table] ?? 0) + count
            new.rows[table] = sum
            try write(step, table, .integer(sum))
        }
        progress[step] = new
    }

    private func write(_ step: Int, _ name: String, _ value: SQLiteValue) throws(SQLiteError) {
        try connection.execute(
            "INSERT OR REPLACE INTO main.\(Self.table) VALUES (?1, ?2, ?3)",
            [.integer(Int64(step)), .string(name), value])
    }

    /// Removes the table: the file is what it should be.
    func remove() throws(SQLiteError) { try connection.execute("DROP TABLE main.\(Self.table)") }

    /// What tells the runs of the machine apart; an empty text where the system does not say.
    static let machineStart: String = {
        let bytes = try? FileSystem.contents(of: "/proc/sys/kernel/random/boot_id", upTo: 64)
        return String(decoding: (bytes ?? []).prefix { $0 != 0x0A }, as: UTF8.self)
    }()
}
