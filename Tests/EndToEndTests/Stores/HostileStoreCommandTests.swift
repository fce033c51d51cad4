import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Stores that somebody made to do harm, with the commands that read stores: a documented status, nothing written
/// outside, and no crash.
@Suite final class HostileStoreCommandTests: CompanyStoreSuite {
    /// Runs everything that reads; returns what each said.
    private func readAll(_ path: String) throws -> [ToolProcess.Result] {
        let new = directory.file("new")
        return try [
            ["verify", path], ["fetch", path, "--entity", "Employee", "--format", "csv"],
            ["export", path, "--entity", "Employee"], ["metadata", path],
            ["convert", path, "--to", "xml", "--output", new],
        ].map { words in
            let run = try ToolProcess.ferry(words + (words[0] == "metadata" ? [] : models))
            #expect(run.signal == nil && [0, 1, 2].contains(run.status), "\(run.summary)")
            try? FileManager.default.removeItem(atPath: new)
            return run
        }
    }

    /// Schemas that would run code or write where a query touches them, were they trusted.
    static let schemas = [
        "CREATE TRIGGER evil AFTER UPDATE ON ZPERSON BEGIN DELETE FROM ZPROJECT; END",
        "ALTER TABLE ZPROJECT RENAME TO ZREAL; CREATE VIEW ZPROJECT AS SELECT *, load_extension('x') FROM ZREAL",
        "ALTER TABLE ZDEPARTMENT RENAME TO ZREAL; "
            + "CREATE VIEW ZDEPARTMENT AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n, ZREAL "
            + "LIMIT 0",
        "CREATE VIRTUAL TABLE evil USING fts5(x)",
        "CREATE INDEX evil ON ZPERSON (hex(ZLASTNAME))",
    ]

    @Test(.long, arguments: schemas)
    func aCraftedSchemaDoesNothing(_ sql: String) throws {
        let connection = try Connection(path: store, access: .readWrite)
        connection.setDefensive(false)
        connection.setTriggersEnabled(false)
        try connection.execute("PRAGMA legacy_alter_table = ON; " + sql)
        _ = try connection.value("PRAGMA wal_checkpoint(TRUNCATE)")
        try connection.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        _ = try readAll(store)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    }

    /// Names of external files that lead elsewhere.
    @Test(arguments: ["../../../../../../../etc/hostname-or-more-padd", "/etc/passwd", "..", ""])
    func aPathInAReferenceLeadsNowhere(_ name: String) throws {
        let secret = try directory.write("top secret content", to: "secret")
        let padded = String((name + String(repeating: "/", count: 36)).prefix(36))
        let connection = try Connection(path: store, access: .readWrite)
        connection.setTriggersEnabled(false)
        let value = [2] + Array(padded.utf8) + [0]
        try connection.execute("UPDATE ZPERSON SET ZPHOTO = ?", [.blob(value)])
        try connection.close()
        for run in try readAll(store) {
            #expect(!run.output.contains("root:") && !run.output.contains("dG9wIHNlY3JldCBjb250ZW50"), "\(run.summary)")
        }
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "top secret content")
    }

    static let documents = [
        // Entities that grow, and entities that name a file.
        #"<!DOCTYPE database [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">]>"#,
        #"<!DOCTYPE database [<!ENTITY a SYSTEM "file:///etc/passwd">]>"#,
        #"<!DOCTYPE database SYSTEM "http://127.0.0.1:9/x.dtd">"#,
    ]

    @Test(arguments: documents)
    func entitiesAreNeitherExpandedNorFetched(_ declaration: String) throws {
        let path = directory.file("Store.xml")
        #expect(try ToolProcess.ferry(["convert", store, "--output", path] + models).status < 2)
        var text = try String(contentsOfFile: path, encoding: .utf8)
        let range = try #require(
            text.range(of: #"<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#))
        text.replaceSubrange(range, with: declaration)
        if declaration.contains("ENTITY") { text = text.replacingOccurrences(of: ">Engineering<", with: ">&a;<") }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        for run in try readAll(path) {
            #expect(!run.output.contains("root:"), "\(run.summary)")
            // A file that would be fetched is skipped, like Core Data's own declaration; entities are not.
            if declaration.contains("ENTITY") { #expect(run.status != 0, "\(run.summary)") }
        }
    }

    /// Each reference of an archive's table turned to the first object, which makes cycles and nonsense.
    @Test(arguments: [0, 1, 2, 3])
    func anArchiveWithCyclesIsRefused(_ seed: Int) throws {
        let path = directory.file("Store.binary")
        #expect(try ToolProcess.ferry(["convert", store, "--output", path] + models).status < 2)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let start = try #require(bytes.range(of: Data("bplist00".utf8))).lowerBound
        // Arrays and dictionaries have their references behind their markers.
        var changed = 0
        for index in start..<(bytes.count - 64) where bytes[index] & 0xF0 == 0xA0 || bytes[index] & 0xF0 == 0xD0 {
            changed += 1
            if changed % 4 == seed { bytes[index + 1] = UInt8(seed); bytes[index + 2] = UInt8(seed) }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        _ = try readAll(path)
    }
}
