import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TestSupport

/// A store of which the safety tests migrate copies: what it is made of, and in which state its files are.
struct SafetyStore: Sendable, CustomStringConvertible {
    enum Content: String, CaseIterable, Sendable {
        /// Rows change: the result is a new file.
        case company = "Company"
        /// With persistent history that is dropped.
        case recipes = "Recipes"
        /// No row changes: the result is a changed copy. Persistent history is kept.
        case history = "History"
    }

    enum Journal: String, CaseIterable, Sendable {
        case rollback
        /// A write-ahead log that was never folded in lies beside the store.
        case openLog
    }

    var content: Content
    var journal: Journal

    var description: String { "\(content.rawValue), \(journal.rawValue)" }

    static let all = Content.allCases.flatMap { content in
        Journal.allCases.map { SafetyStore(content: content, journal: $0) }
    }

    /// Makes the store, in the folder `original`, and the words that migrate it.
    ///
    /// - Parameter copies: how often each step of a recipe is there; only of recipes.
    func make(copies: Int = 1) throws -> (folder: StoreFolder, words: [String]) {
        let folder: StoreFolder
        let words: [String]
        switch content {
        case .company, .recipes:
            let directory = try TemporaryDirectory()
            folder = try StoreFolder(copying: Samples.buildStore(content.rawValue, in: directory))
            words = ["--models", Samples.models(content.rawValue)]
        case .history:
            var writer = StoreWriter()
            writer.hasHistory = true
            writer.externalThreshold = 50
            let change = try ModelChange(
                [entity("Note", [attribute("text"), attribute("photo", .binaryData, external: true)])],
                [
                    entity(
                        "Note",
                        [
                            attribute("body", renamedFrom: "text"), attribute("date", .date),
                            attribute("photo", .binaryData, external: true),
                        ])
                ], writer: writer, upTo: 30)
            folder = try StoreFolder(copying: change.folder.store)
            try FileManager.default.copyItem(atPath: change.bundle, toPath: folder.directory.file("Model.xcdatamodeld"))
            words = [
                "--models", folder.directory.file("Model.xcdatamodeld"), "--from", ModelChange.old, "--to",
                ModelChange.new,
            ]
        }
        if copies > 1 { try multiplyRows(of: folder.store, copies) }
        try setJournal(of: folder.store)
        return (folder, words + ["--progress", "none"])
    }

    private func multiplyRows(of path: String, _ copies: Int) throws {
        let connection = try Connection(path: path, access: .readWrite)
        connection.setTriggersEnabled(false)
        try connection.execute("BEGIN")
        let others = try connection.rows("SELECT name FROM pragma_table_info('ZSTEP') WHERE name <> 'Z_PK'")
            .compactMap { $0[0].string }.joined(separator: ", ")
        try connection.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(copies - 1))
            INSERT INTO ZSTEP (Z_PK, \(others)) SELECT Z_PK + i * 100000, \(others) FROM ZSTEP, n;
            """)
        try connection.execute("COMMIT")
        try connection.close()
    }

    private func setJournal(of path: String) throws {
        let connection = try Connection(path: path, access: .readWrite)
        _ = try connection.value("PRAGMA journal_mode = \(journal == .rollback ? "DELETE" : "WAL")")
        connection.setCheckpointOnClose(false)
        // What is lost where the log is: the next key of every entity.
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 7 WHERE Z_MAX > 0")
        try connection.close()
    }
}
