import PersistentStores
import SQLiteAccess

/// A step that is finished: its number, and the rows that it has written to a table.
typealias FinishedStep = (number: Int, table: String, rows: Int64)

/// The progress of the steps that write a staged file. It is in a table of this file, and changes in the same
/// transactions as the rows.
///
/// If the process is killed, everything that it has committed remains. It does not matter how much of this is on the
/// device, because the system still has it. If the machine itself goes down, however, the table may claim more than the
/// file contains. Therefore the identity contains the start of the machine.
final class StepJournal {
    static let table = "FERRY_PROGRESS"

    private struct Progress {
        /// The first primary key that has not been transferred yet; nil if the step is finished.
        var next: Int64?
        /// The numbers of written rows, by table.
        var rows: [String: Int64] = [:]
    }

    private let connection: Connection
    private var progress: [Int: Progress] = [:]

    /// Creates the table in a file that does not have it, or continues with the existing one.
    ///
    /// - Parameter finished: the steps that had written the file before the table is created, with the numbers of their
    ///   rows.
    ///
    /// A row without a name contains the key at which a step continues. A row with the name of a table contains the
    /// number of rows that the step has written to it.
    init(_ connection: Connection, identity: String, finished: [FinishedStep] = []) throws(SQLiteError) {
        self.connection = connection
        if try !Self.fits(connection, identity) {
            // A run that finds the table must also find that these steps are finished.
            try connection.execute("BEGIN")
            try connection.execute(
                "CREATE TABLE main.\(Self.table) (step INTEGER, name TEXT, value, PRIMARY KEY (step, name)) WITHOUT ROWID"
            )
            try connection.execute("INSERT INTO main.\(Self.table) VALUES (-1, '', ?1)", [.string(identity)])
            for step in finished { try note(step.number, next: nil, rows: [step.table: step.rows]) }
            try connection.execute("COMMIT")
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

    /// Returns whether a database has the table of exactly these steps.
    static func fits(_ connection: Connection, _ identity: String) throws(SQLiteError) -> Bool {
        let tables = "SELECT 1 FROM main.sqlite_master WHERE name = '\(table)'"
        guard try connection.value(tables) != .null else { return false }
        return try connection.value("SELECT value FROM main.\(table) WHERE step = -1").string == identity
    }

    /// Returns whether there is a database that has the table of exactly these steps.
    static func fits(_ path: String, _ identity: String) -> Bool {
        guard let connection = try? Connection(path: path, access: .readWrite) else { return false }
        defer { try? connection.close() }
        return (try? fits(connection, identity)) ?? false
    }

    func isFinished(_ step: Int) -> Bool { progress[step].map { $0.next == nil } ?? false }

    /// Returns the first key that has not been transferred yet; nil if the step has not begun, or is finished.
    func next(_ step: Int) -> Int64? { progress[step]?.next }

    /// Returns the numbers of rows that a step has written so far, by table.
    func rows(_ step: Int) -> [String: Int64] { progress[step]?.rows ?? [:] }

    /// Records a batch, in the transaction of the batch.
    ///
    /// - Parameters:
    ///   - step: the number of the step.
    ///   - next: the first key of the next batch; nil after the last batch.
    ///   - rows: the numbers of the batch's rows, by table.
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

    /// Removes the table, because the file is complete.
    func remove() throws(SQLiteError) { try connection.execute("DROP TABLE main.\(Self.table)") }

    /// A text that identifies the current start of the machine; empty if the system does not provide it.
    static let machineStart: String = {
        let bytes = try? FileSystem.contents(of: "/proc/sys/kernel/random/boot_id", upTo: 64)
        return String(decoding: (bytes ?? []).prefix { $0 != 0x0A }, as: UTF8.self)
    }()
}
