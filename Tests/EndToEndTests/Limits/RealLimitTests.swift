import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Each command at a size that crosses its real limits, held against SQL over both stores.
@Suite struct RealLimitTests {
    private let large: LargeStore
    private let directory: TemporaryDirectory

    init() throws {
        large = try LargeStore.shared.get()
        directory = try TemporaryDirectory()
    }

    private func ferry(_ words: [String]) throws -> ToolProcess.Result {
        let run = try ToolProcess.ferry(words)
        #expect(run.status == 0, "\(run.summary)")
        return run
    }

    /// Items with the names of their owners and the tables' names for what links them.
    private static func items(_ schema: String, note: String = "ZNOTE") -> String {
        "SELECT i.ZCODE, i.ZAMOUNT, i.\(note), o.ZNAME FROM \(schema).ZITEM i "
            + "LEFT JOIN \(schema).ZOWNER o ON o.Z_PK = i.ZOWNER"
    }

    /// Pairs of items and tags; every label may be there several times.
    private func tags(_ schema: String, of path: String) throws -> String {
        let rows = try StoreRows.of(
            path,
            "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' "
                + "AND m.name LIKE 'Z\\__%' ESCAPE '\\' AND (m.name LIKE '%TAGS' OR m.name LIKE '%ITEMS') ORDER BY c.cid"
        )
        let tag = try #require(rows.first { $0[1].hasSuffix("TAGS") })
        let item = try #require(rows.first { $0[1].hasSuffix("ITEMS") })
        return "SELECT i.ZCODE, t.ZLABEL, count(*) FROM \(schema).\(tag[0]) j JOIN \(schema).ZITEM i "
            + "ON i.Z_PK = j.\(item[1]) JOIN \(schema).ZTAG t ON t.Z_PK = j.\(tag[1]) GROUP BY 1, 2"
    }

    private func expectSame(_ path: String, note: String = "ZNOTE") throws {
        #expect(try large.differences(Self.items("main"), from: path, Self.items("other", note: note)) == 0)
        #expect(try large.differences(tags("main", of: large.path), from: path, tags("other", of: path)) == 0)
        #expect(try StoreRows.of(path, "PRAGMA integrity_check") == [["ok"]])
    }

    @Test(.long) func aFixtureOfManyBatchesHasAllObjectsAndKeepsTheRules() throws {
        let counts = try StoreRows.of(
            large.path,
            "SELECT count(*), count(DISTINCT ZCODE), (SELECT count(*) FROM ZOWNER), (SELECT count(*) FROM ZTAG) FROM ZITEM"
        )
        #expect(counts == [["66000", "66000", "66000", "66000"]])
        #expect(try StoreRows.of(large.path, "PRAGMA integrity_check") == [["ok"]])
    }

    @Test(.long, arguments: [["--writer", "builder"], ["--writer", "sqlite"]])
    func aMigrationIntoANewFileGivesEachRow(writer: [String]) throws {
        let path = directory.file("new.sqlite")
        _ = try ferry(["migrate", large.path, "--to", "Large 2", "--output", path] + writer + large.models)
        try expectSame(path, note: "ZREMARK")
        #expect(try StoreRows.of(path, "SELECT DISTINCT ZKIND FROM ZITEM") == [["plain"]])
    }

    @Test(.long) func aMigrationInPlaceGivesEachRow() throws {
        let path = directory.file("Large.sqlite")
        try FileManager.default.copyItem(atPath: large.path, toPath: path)
        _ = try ferry(["migrate", path, "--to", "Large 2", "--in-place"] + large.models)
        try expectSame(path, note: "ZREMARK")
    }

    @Test(.long) func aMappingModelMakesOneObjectForEachOfManyKeys() throws {
        let mapping = try directory.write(
            """
            mapping: 1
            entities:
              - source: Item
                destination: Item
                attributes: {remark: $source.note}
                relationships:
                  place: FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "Places", $source)
              - name: Places
                source: Item
                destination: Place
                filter: code != NULL
                key: code
                attributes: {code: '"p" + $source.code'}
              - {source: Owner, destination: Owner}
              - {source: Tag, destination: Tag}

            """, to: "places.yaml")
        let path = directory.file("mapped.sqlite")
        _ = try ferry(
            ["migrate", large.path, "--to", "Large 2", "--mapping", mapping, "--output", path] + large.models)
        try expectSame(path, note: "ZREMARK")
        #expect(
            try StoreRows.of(
                path,
                "SELECT count(*), count(DISTINCT p.ZCODE), sum(p.ZCODE = 'p' || i.ZCODE) FROM ZPLACE p "
                    + "JOIN ZITEM i ON i.ZPLACE = p.Z_PK") == [["66000", "66000", "66000"]])
    }

    @Test(.long) func aConversionThroughAllTypesGivesEachObject() throws {
        var previous = large.path
        for name in ["a.xml", "b.binary", "c.sqlite"] {
            _ = try ferry(["convert", previous, "--output", directory.file(name)] + large.models)
            previous = directory.file(name)
        }
        try expectSame(previous)
    }

    @Test(.long) func anExportAndAFetchWriteEachObject() throws {
        let path = directory.file("items.csv")
        let models = Array(large.models.prefix(2))
        _ = try ferry(
            ["export", large.path, "--entity", "Owner", "--columns", "name", "--output", path] + models)
        let names = try StoreRows.of(large.path, "SELECT ZNAME FROM ZOWNER ORDER BY Z_PK").map { $0[0] }
        let exported = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(exported == ["name"] + names)
        let fetched = try ferry(
            ["fetch", large.path, "--entity", "Owner", "--columns", "name", "--format", "csv"] + models)
        #expect(fetched.output.split(separator: "\n").map(String.init) == ["name"] + names)
    }

    @Test(.long) func aVerificationCountsEachFault() throws {
        let path = directory.file("Large.sqlite")
        try FileManager.default.copyItem(atPath: large.path, toPath: path)
        let connection = try Connection(path: path, access: .readWrite)
        connection.setTriggersEnabled(false)
        try connection.execute("UPDATE ZITEM SET ZOWNER = 900000 + Z_PK WHERE Z_PK % 3 = 0")
        try connection.close()
        let run = try ToolProcess.ferry(
            ["verify", path, "--json", "--rule", "dangling-reference"] + large.models.prefix(2))
        #expect(run.status == 1)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let findings = try #require(report["findings"] as? [[String: Any]])
        #expect(findings.map { $0["count"] as? Int } == [22_000], "\(run.summary)")
    }
}
