import Foundation
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreVerification
import Testing
import TestSupport
import Threading

/// A sound store that is broken in one way has just that finding.
@Suite struct FaultInjectionTests {
    @Test func theSampleIsSound() throws {
        let store = try SampleStore()
        let before = try FolderState(of: store.directory.path)
        let report = try store.report()
        #expect(report.findings == [])
        #expect(report.rows == 163)
        #expect(try FolderState(of: store.directory.path).differences(from: before) == [])
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let sql: String
        let counts: [String: Int64]

        init(_ sql: String, _ counts: [String: Int64]) {
            (self.sql, self.counts) = (sql, counts)
        }

        var testDescription: String { sql }
    }

    static let faults: [Fault] = [
        // Links
        Fault("UPDATE ZRECIPE SET ZTYPE = 99 WHERE Z_PK IN (1, 2)", ["dangling-reference": 2]),
        Fault("UPDATE ZRECIPE SET Z1FAVORITES = 99 WHERE Z_PK = 1", ["dangling-reference": 1]),
        Fault("INSERT INTO Z_1RECIPES VALUES (99, 1, 9999, 9999)", ["dangling-join-row": 1]),
        Fault("INSERT INTO Z_5VARIANTOF VALUES (1, 99), (NULL, 1)", ["dangling-join-row": 2]),
        Fault("UPDATE ZIMAGE SET ZRECIPE = NULL WHERE Z_PK = 1", ["one-sided-inverse": 1]),
        Fault("UPDATE ZSTEP SET Z_FOK_RECIPE = 2048 WHERE Z_PK = 2", ["order-keys": 2]),
        Fault("UPDATE ZSTEP SET Z_FOK_RECIPE = NULL WHERE Z_PK = 2", ["order-keys": 1]),
        Fault("UPDATE Z_1RECIPES SET Z_FOK_5RECIPES = 2048 WHERE Z_1AUTHORS = 1 AND Z_5RECIPES = 2", ["order-keys": 2]),
        Fault("UPDATE Z_1RECIPES SET Z_FOK_1AUTHORS = NULL WHERE Z_1AUTHORS = 4 AND Z_5RECIPES = 2", ["order-keys": 1]),
        // Rows
        Fault("UPDATE ZCHEF SET Z_ENT = 77 WHERE Z_PK = 3", ["unknown-entity-number": 1]),
        Fault("UPDATE ZCHEF SET Z_ENT = NULL WHERE Z_PK = 3", ["unknown-entity-number": 1]),
        Fault("UPDATE ZSTEP SET Z_ENT = 7 WHERE Z_PK = 1", ["abstract-entity": 1]),
        Fault("UPDATE ZCHEF SET Z_OPT = NULL WHERE Z_PK = 1", ["lock-counter-invalid": 1]),
        Fault("UPDATE ZCHEF SET Z_OPT = 0 WHERE Z_PK = 1", ["lock-counter-invalid": 1]),
        // Bookkeeping
        Fault("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Recipe'", ["primary-key-behind": 1]),
        Fault("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'CHANGE'", ["primary-key-behind": 1]),
        Fault("UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_NAME = 'TextStep'", ["entity-number-wrong": 1]),
        Fault("INSERT INTO Z_PRIMARYKEY VALUES (50, 'Chef', 0, 9)", ["entity-number-wrong": 1]),
        Fault("UPDATE Z_METADATA SET Z_UUID = lower(Z_UUID)", ["metadata-invalid": 1]),
        Fault("INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA", ["metadata-invalid": 1]),
        Fault("UPDATE ACHANGE SET ZTRANSACTIONID = 99 WHERE Z_PK = 1", ["history-inconsistent": 1]),
        Fault("UPDATE ACHANGE SET ZENTITY = 99 WHERE Z_PK = 1", ["history-inconsistent": 1]),
        Fault("UPDATE ACHANGE SET ZCHANGETYPE = 9 WHERE Z_PK = 1", ["history-inconsistent": 1]),
        Fault("CREATE TABLE \(InterruptedImport.table) (content BLOB)", ["import-interrupted": 1]),
        // Tables
        Fault("DROP TABLE ZDRAFT", ["table-missing": 1]),
        Fault("DROP TABLE Z_5VARIANTOF", ["table-missing": 1]),
        Fault("ALTER TABLE ZCHEF DROP COLUMN ZEMAIL", ["column-missing": 1]),
        Fault("ALTER TABLE ZCHEF ADD COLUMN ZNOSE INTEGER", ["column-surplus": 1]),
        Fault("DROP INDEX ZIMAGE_ZRECIPE_INDEX", ["index-missing": 1]),
        Fault("DROP INDEX Z_Recipe_UNIQUE_name_identifier", ["uniqueness-unguarded": 1]),
        Fault("CREATE TABLE Mine (x); CREATE VIEW Yours AS SELECT 1", ["unknown-object": 2]),
        Fault(
            "ALTER TABLE ZDRAFT RENAME TO x; CREATE VIEW ZDRAFT AS SELECT * FROM x",
            ["table-missing": 1, "unknown-object": 2]),
        Fault(
            """
            DROP TABLE ZDRAFT;
            CREATE TABLE ZDRAFT (Z_PK TEXT PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRECIPE TEXT, ZTEXT VARCHAR);
            """,
            ["table-unusual": 1, "column-type": 2, "index-missing": 1]),
        // Values
        Fault("UPDATE ZCHEF SET ZNAME = NULL WHERE Z_PK = 1", ["missing-required-value": 1]),
        Fault("UPDATE ZCHEF SET ZBIRTHYEAR = 40000 WHERE Z_PK = 1", ["value-out-of-range": 1]),
        Fault("UPDATE ZRECIPE SET ZRATING = 9e999 WHERE Z_PK = 1", ["above-maximum": 1]),
        Fault("UPDATE ZRECIPE SET ZRATING = 1e39 WHERE Z_PK = 1", ["value-out-of-range": 1, "above-maximum": 1]),
        Fault("UPDATE ZRECIPE SET ZPREPARATIONTIME = 3000000000 WHERE Z_PK = 1", ["value-out-of-range": 1]),
        Fault("UPDATE ZRECIPE SET ZSERVINGS = 0 WHERE Z_PK = 1", ["below-minimum": 1]),
        Fault("UPDATE ZRECIPE SET ZRATING = 6.5 WHERE Z_PK = 1", ["above-maximum": 1]),
        Fault("UPDATE ZRECIPE SET ZNAME = '' WHERE Z_PK = 1", ["text-too-short": 1]),
        Fault("UPDATE ZRECIPE SET ZPREPARATIONTIME = 'soon' WHERE Z_PK = 1", ["wrong-storage-class": 1]),
        Fault("UPDATE ZRECIPE SET ZNAME = X'41' WHERE Z_PK = 1", ["wrong-storage-class": 1]),
        Fault("UPDATE ZINGREDIENT SET ZAMOUNT = 'much' WHERE Z_PK = 1", ["wrong-storage-class": 1]),
        Fault("UPDATE ZRECIPE SET ZIDENTIFIER = X'0102' WHERE Z_PK = 1", ["undecodable-value": 1]),
        Fault("UPDATE ZRECIPE SET ZTHUMBNAIL = X'0102' WHERE Z_PK = 1", ["undecodable-value": 1]),
        Fault("UPDATE ZRECIPE SET ZINGREDIENTCOUNT = 55 WHERE Z_PK = 1", ["derived-value-stale": 1]),
        Fault(
            """
            DROP INDEX Z_Recipe_UNIQUE_name_identifier;
            UPDATE ZRECIPE SET ZNAME = 'x', ZIDENTIFIER = X'00112233445566778899AABBCCDDEEFF' WHERE Z_PK < 4;
            """,
            ["uniqueness-unguarded": 1, "uniqueness-violated": 3]),
        // External data
        Fault("UPDATE ZIMAGE SET ZDATA = X'0302' WHERE Z_PK = 2", ["external-data-malformed": 1]),
        Fault("UPDATE ZIMAGE SET ZDATA = X'' WHERE Z_PK = 2", ["external-data-malformed": 1]),
        Fault(
            "UPDATE ZIMAGE SET ZDATA = CAST(X'02' || '../../../../../../../../../etc/passwd' AS BLOB) WHERE Z_PK = 2",
            ["external-data-malformed": 1]),
        Fault(
            "UPDATE ZIMAGE SET ZDATA = CAST(X'02' || '/../../../../../../../../etc/passwd__' || X'00' AS BLOB) "
                + "WHERE Z_PK = 2",
            ["external-data-malformed": 1]),
        Fault(
            "UPDATE ZIMAGE SET ZDATA = CAST(X'02' || '00000000-0000-0000-0000-000000000000' || X'00' AS BLOB) "
                + "WHERE Z_PK = 2",
            ["external-data-missing": 1]),
        Fault("UPDATE ZIMAGE SET ZDATA = X'01' WHERE Z_PK = 1", ["external-data-unused": 1]),
    ]

    @Test(.long, arguments: faults)
    func eachFaultIsFoundAndNothingElse(fault: Fault) throws {
        let store = try SampleStore()
        try store.execute(fault.sql)
        #expect(try store.counts() == fault.counts)
        // By itself too, where only this rule is asked for.
        for code in fault.counts.keys {
            var options = StoreVerifier.Options()
            options.rules = try [#require(VerificationRule(rawValue: code))]
            #expect(try store.report(options).findings.map(\.code).allSatisfy { $0 == code })
            #expect(try store.report(options).findings.reduce(0) { $0 + $1.count } == fault.counts[code])
        }
    }

    @Test func filesOfExternalDataAreLookedAt() throws {
        let store = try SampleStore()
        let folder = store.files.externalDataDirectory
        let name = try #require(try FileSystem.names(in: folder).first)
        try Data().write(to: URL(fileURLWithPath: folder + "/" + name))
        #expect(try store.counts() == ["external-data-empty": 1])
        try FileSystem.remove(folder + "/" + name)
        #expect(try store.counts() == ["external-data-missing": 1])
        // A link is not a file of the store's.
        try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: "/etc/passwd")
        #expect(try store.counts() == ["external-data-empty": 1])
        try Data([1]).write(to: URL(fileURLWithPath: folder + "/other"))
        #expect(try store.counts() == ["external-data-empty": 1, "external-data-unused": 1])
    }

    @Test(arguments: [
        ".Recipes.sqlite.ferry-staging", ".Recipes.sqlite.ferry-staging-wal", ".Recipes_SUPPORT.ferry-staging",
        ".Recipes.sqlite.migrationdestination_41b5a6b5c6e848c462a8480cd24caef3", "Recipes~.sqlite",
    ])
    func leftoversAreFound(name: String) throws {
        let store = try SampleStore()
        try store.directory.write("x", to: name)
        #expect(try store.counts() == ["leftover-file": 1])
    }

    @Test(arguments: [1, 4, 9, 20])
    func damagedPagesAreAFindingAndNoCrash(page: Int) throws {
        let store = try SampleStore()
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: store.path)))
        for index in page * 4096 + 3..<page * 4096 + 40 { bytes[index] = 0xA5 }
        try store.directory.write(bytes, to: "Recipes.sqlite")
        // A page of the bookkeeping keeps the store from being opened at all.
        guard let opened = try? SQLiteStore(path: store.path) else { return }
        let report = try StoreVerifier(opened, model: store.model).verify()
        #expect(report.findings.contains { $0.code == "database-damaged" })
    }

    /// What is wrong with an index is told in SQLite's words, though Ferry finds it.
    @Test(arguments: [
        "DELETE FROM ZIMAGE WHERE Z_PK = 2", "UPDATE ZIMAGE SET ZRECIPE = 1 WHERE ZRECIPE = 2",
        "INSERT INTO ZIMAGE (Z_ENT, Z_OPT) VALUES (1, 1)",
    ])
    func indexesThatDifferFromTheirTablesAreFound(change: String) throws {
        let store = try SampleStore()
        let name = "ZIMAGE_ZRECIPE_INDEX"
        func run(_ sql: String, writesSchema: Bool) throws {
            let connection = try Connection(path: store.path, access: .readWrite)
            connection.setTriggersEnabled(false)
            connection.setDefensive(false)
            try connection.execute("PRAGMA writable_schema = \(writesSchema ? "ON" : "OFF"); \(sql)")
            try connection.close()
        }
        let reader = try Connection(path: store.path, access: .readOnly)
        let columns = "type, name, tbl_name, rootpage, sql"
        let row = try #require(
            try reader.rows("SELECT \(columns) FROM sqlite_schema WHERE name = '\(name)'").first)
        try reader.close()
        try run("DELETE FROM sqlite_schema WHERE name = '\(name)'", writesSchema: true)
        try run(change, writesSchema: false)
        let values = row.map { $0.literal }.joined(separator: ", ")
        try run("INSERT INTO sqlite_schema (\(columns)) VALUES (\(values))", writesSchema: true)

        let judge = try Connection(path: store.path, access: .readOnly)
        let told = try judge.rows("PRAGMA integrity_check").compactMap { $0[0].string }
        try #require(told != ["ok"])
        for isRefused in [false, true] {
            try WorkerThread.$isRefused.withValue(isRefused) {
                var options = StoreVerifier.Options()
                options.rules = [.databaseDamaged]
                let finding = try #require(try store.report(options).findings.first)
                #expect(finding.code == "database-damaged")
                #expect(finding.examples == told)
                #expect(finding.count == Int64(told.count))
            }
        }
    }

    /// A transaction of the caller's has changes that no page of the file has.
    @Test func changesThatAreNotCommittedAreVerified() throws {
        let sample = try SampleStore()
        let store = try SQLiteStore(path: sample.path, access: .readWrite)
        store.connection.setTriggersEnabled(false)
        try store.connection.execute("BEGIN; CREATE TABLE Mine (x); UPDATE ZCHEF SET Z_OPT = 0 WHERE Z_PK = 1")
        let findings = try StoreVerifier(store, model: sample.model).verify().findings
        #expect(findings.map(\.code) == ["lock-counter-invalid"])
        #expect(store.connection.isInTransaction)
        try store.connection.execute("ROLLBACK")
    }

    @Test func examplesAreURIsAndNoMoreThanAsked() throws {
        let store = try SampleStore()
        try store.execute("UPDATE ZSTEP SET ZRECIPE = 99, Z_FOK_RECIPE = Z_PK")
        var options = StoreVerifier.Options()
        options.exampleLimit = 2
        let finding = try #require(try store.report(options).findings.first)
        #expect(finding.code == "dangling-reference")
        #expect(finding.count == 41)
        let uuid = try StoreMetadata.read(storeAt: store.path).uuid
        #expect(finding.examples == ["x-coredata://\(uuid)/TextStep/p1", "x-coredata://\(uuid)/TimerStep/p2"])
    }

    /// A store of a configuration has tables for all entities, and objects of its own ones only.
    @Test func objectsOutsideTheConfigurationAreFound() throws {
        let store = try SampleStore()
        func findings(without names: Set<String>) throws -> [VerificationFinding] {
            let held = Set(store.model.entities.map(\.name)).subtracting(names)
            return try StoreVerifier(SQLiteStore(path: store.path), model: store.model, objectEntities: held).verify()
                .findings
        }
        #expect(try findings(without: []) == [])
        let found = try findings(without: ["TextStep", "Chef"])
        #expect(found.map(\.code) == ["outside-configuration", "outside-configuration"])
        #expect(Set(found.map(\.subject)) == ["TextStep", "Chef"])
        let chefs = try Connection(path: store.path, access: .readOnly).value("SELECT count(*) FROM ZCHEF").integer
        let chef = try #require(found.first { $0.subject == "Chef" })
        #expect(chef.count == chefs && chef.examples.first?.hasSuffix("/Chef/p1") == true)
    }

    @Test func withoutAModelTheFileIsChecked() throws {
        let store = try SampleStore()
        try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Recipe'")
        let report = try StoreVerifier(SQLiteStore(path: store.path), model: nil).verify()
        #expect(report.findings.map(\.code) == ["primary-key-behind"])
        #expect(report.model == nil)
    }
}
