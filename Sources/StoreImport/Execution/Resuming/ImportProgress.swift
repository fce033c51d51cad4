import Foundation
import SQLiteAccess

/// How far an import has come that commits batch by batch: kept in the store with each batch, until all is done.
struct ImportProgress: Codable {
    /// What is imported by which mapping: only the same import goes on.
    var fingerprint: String
    /// What the sources were like, so that a changed one is noticed; in the order in which they were given.
    var identities: [SourceIdentity]
    /// For each part of the import the source that it reads, as an index of `identities`.
    var files: [Int] = []
    /// What `now()` is in expressions: that of the first part of the import.
    var now: Double
    /// The source that is being read; the number of sources when all are read.
    var source = 0
    /// Where the next batch of it begins; nil for its beginning.
    var position: RecordPosition?
    var current: ImportReport.SourceReport?
    var report: ImportReport
    var entities: [String: ImportReport.EntityReport] = [:]
    /// By table, the first primary key that the import gave to an object.
    var firstKeys: [Int64]?
    /// By look-up, the objects that were made because records named them.
    var created: [Int64] = []
    var rejects = RejectCheckpoint()

    private static let table = "ferry_progress"

    /// Whether a store holds an import that has not come to its end.
    static func isPresent(in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.value("SELECT 1 FROM main.sqlite_master WHERE name = ?", [.string(table)]) != .null
    }

    /// The progress of the import that has not come to its end; nil where there is none.
    static func read(from connection: Connection) throws -> ImportProgress? {
        guard try isPresent(in: connection) else { return nil }
        guard let bytes = try connection.value("SELECT content FROM main.\(table)").blob else { return nil }
        do {
            return try JSONDecoder().decode(ImportProgress.self, from: Data(bytes))
        } catch {
            throw ImportError.unknownProgress
        }
    }

    func write(to connection: Connection) throws {
        try connection.execute("CREATE TABLE IF NOT EXISTS main.\(Self.table) (id INTEGER PRIMARY KEY, content BLOB)")
        try connection.execute(
            "INSERT OR REPLACE INTO main.\(Self.table) VALUES (1, ?)", [.blob(Array(try JSONEncoder().encode(self)))])
    }

    /// Forgets an import that has not come to its end, with all that it has noted in the store.
    ///
    /// - Returns: false where there is none.
    static func discard(from connection: Connection) throws -> Bool {
        guard try isPresent(in: connection) else { return false }
        // No table of Core Data's begins so, and no other of Ferry's stays.
        let tables = try connection.rows(
            "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name GLOB 'ferry_*'")
        for name in tables.compactMap({ $0.first?.string }) {
            try connection.execute("DROP TABLE main.\(SQLiteIdentifier.quoted(name))")
        }
        try IndexKeeper.dropTemporaryIndexes(of: connection)
        return true
    }

    static func remove(from connection: Connection) throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS main.\(table)")
    }
}
