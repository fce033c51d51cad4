import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Triggers that never end, on every table of a store: what writes does not run them, or ends with Ctrl-C.
@Suite final class EndlessTriggerTests: CompanyStoreSuite {
    private func plantTriggers() throws {
        let connection = try Connection(path: store, access: .readWrite)
        connection.setTriggersEnabled(false)
        try connection.execute(
            "INSERT INTO Z_4PROJECTS VALUES (999, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 1; "
                + "UPDATE Z_METADATA SET Z_VERSION = 1")
        let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap(
            \.first?.string)
        for table in tables where !table.hasPrefix("sqlite_") {
            for change in ["INSERT", "UPDATE", "DELETE"] {
                try connection.execute(
                    """
                    CREATE TRIGGER endless_\(table)_\(change) AFTER \(change) ON \(table) BEGIN SELECT count(*) FROM
                    (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n); END
                    """)
            }
        }
        _ = try connection.value("PRAGMA wal_checkpoint(TRUNCATE)")
        try connection.close()
    }

    @Test(.long, arguments: [SIGINT, SIGTERM], ["whole", "batch"])
    func aSignalEndsAnImportIntoThem(signal: Int32, commit: String) throws {
        try plantTriggers()
        let source = try directory.write("title\nNew\n", to: "new.csv")
        let before = try FolderState(of: directory.path)
        let tool = try ToolProcess(
            ToolProcess.ferry,
            ["import", source, "--store", store, "--entity", "Project", "--commit", commit] + models, in: directory.path
        )
        #expect(tool.wait { tool.hasOpen(store + "-journal") || tool.hasOpen(store + "-wal") })
        #expect(tool.isRunning)
        tool.send(signal)
        tool.wait(atMost: .seconds(60))
        #expect(!tool.isRunning)
        if tool.isRunning { tool.send(SIGKILL) }
        let run = tool.wait()
        #expect(run.status == 2 && run.signal == nil, "\(run.summary)")
        #expect(run.errors.contains("cancelled; nothing has changed"), "\(run.errors)")
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
    }

    @Test(
        .long,
        arguments: [
            ["migrate"], ["migrate", "--in-place"], ["migrate", "--in-place", "--writer", "sqlite"],
            ["migrate", "--output", "New.sqlite"], ["metadata"], ["convert", "--output", "New.sqlite"],
            ["repair", "--fix", "primary-key-behind", "--fix", "dangling-join-row"], ["copy"],
        ])
    func otherCommandsDoNotRunThem(_ words: [String]) throws {
        try plantTriggers()
        let more: [String] =
            switch words[0] {
            case "metadata": ["set", "key", "value"]
            case "copy": ["New.sqlite"]
            default: models
            }
        let tool = try ToolProcess(
            ToolProcess.ferry, [words[0], store] + words.dropFirst() + more, in: directory.path)
        tool.wait(atMost: .seconds(60))
        #expect(!tool.isRunning)
        if tool.isRunning { tool.send(SIGKILL) }
        let run = tool.wait()
        #expect(run.signal == nil && [0, 1].contains(run.status), "\(run.summary)")
    }
}
