import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// `ferry fetch` and `ferry export` over several stores: what they print is what SQLite says of all of them.
@Suite final class SeveralStoresTests: CompanyStoreSuite {
    /// Another store of the same version, some of whose objects differ.
    private func makeSecond(named name: String = "Second.sqlite", _ sql: String = "") throws -> String {
        let path = directory.file(name)
        try StoreFiles(store).copyAll(to: StoreFiles(path))
        try Connection(path: path, access: .readWrite).execute(
            "UPDATE Z_METADATA SET Z_UUID = 'B0000000-0000-4000-8000-00000000000B';"
                + "UPDATE ZPERSON SET ZLASTNAME = 'Zuse' WHERE ZLASTNAME = 'Holm';"
                + sql)
        return path
    }

    private func ferry(_ command: String, _ stores: [String], _ words: [String]) throws -> ToolProcess.Result {
        try ToolProcess.ferry([command] + stores + models + words, in: directory.path)
    }

    /// The rows of both stores.
    private func rows(_ second: String, _ columns: String, _ rest: String) throws -> [String] {
        try StoreRows.attached(
            store, second,
            "SELECT \(columns) FROM (SELECT 1 AS store, m.Z_UUID, e.Z_NAME, p.* FROM main.ZPERSON p "
                + "JOIN main.Z_PRIMARYKEY e USING (Z_ENT), main.Z_METADATA m UNION ALL SELECT 2, m.Z_UUID, e.Z_NAME, p.* "
                + "FROM other.ZPERSON p JOIN other.Z_PRIMARYKEY e USING (Z_ENT), other.Z_METADATA m) "
                + "WHERE Z_NAME IN ('Employee', 'Manager') \(rest)"
        ).map { $0.joined(separator: ",") }
    }

    private static let uri = "'x-coredata://' || Z_UUID || '/' || Z_NAME || '/p' || Z_PK"

    static let cases: [(words: [String], columns: String, rest: String)] = [
        (["--ids"], uri, "ORDER BY store, Z_PK"),
        (["--ids", "--sort", "lastName"], uri, "ORDER BY ZLASTNAME, store, Z_PK"),
        (
            ["--columns", "lastName,vacationDays", "--sort=-vacationDays,lastName", "--limit", "9", "--offset", "4"],
            "ZLASTNAME, ZVACATIONDAYS", "ORDER BY ZVACATIONDAYS DESC, ZLASTNAME, store, Z_PK LIMIT 9 OFFSET 4"
        ),
        (["--count"], "count(*)", ""),
        (["--count", "--where", "lastName == 'Zuse'"], "count(*)", "AND ZLASTNAME = 'Zuse'"),
        (["--count", "--limit", "40", "--offset", "20"], "min(40, count(*) - 20)", ""),
    ]

    @Test(.long, arguments: cases.indices) func aFetchIsOfAllStores(_ index: Int) throws {
        let (words, columns, rest) = Self.cases[index]
        let second = try makeSecond()
        let run = try ferry("fetch", [store, second], ["--entity", "Employee", "--format", "csv"] + words)
        let found = run.output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        let wanted = try rows(second, columns, rest)
        #expect(run.status == 0 && found == wanted && !wanted.isEmpty, "\(run.summary)")
    }

    @Test(.long) func storesOfOtherTypesTakePart() throws {
        let second = try makeSecond()
        let converted = try ferry("convert", [second], ["--output", "Second.xml"])
        #expect(converted.status == 0, "\(converted.summary)")
        let run = try ferry(
            "fetch", [store, "Second.xml"],
            ["--entity", "Employee", "--columns", "lastName", "--sort", "lastName", "--format", "csv"])
        let found = run.output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
        #expect(try found == rows(second, "ZLASTNAME", "ORDER BY ZLASTNAME, store"), "\(run.summary)")
        // The table for people says whose objects they are, by the names that the user wrote.
        let table = try ferry("fetch", [store, "Second.xml"], ["--entity", "Department", "--columns", "SELF"])
        #expect(
            table.output.contains("Company.sqlite/Department/p1") && table.output.contains("Second.xml/Department/p"),
            "\(table.summary)")
        let plan = try ferry("fetch", [store, "Second.xml"], ["--entity", "Department", "--sql"])
        #expect(plan.output.contains("Store Second.xml\nSQL\n"), "\(plan.summary)")
    }

    @Test func urisNameTheirStores() throws {
        let second = try makeSecond()
        let words = ["--columns", "lastName", "--format", "csv"]
        let uris = try rows(second, Self.uri, "AND ZLASTNAME IN ('Zuse', 'Holm') ORDER BY store")
        #expect(uris.count == 2)
        let both = try ferry(
            "fetch", [store, second], uris.flatMap { ["--id", $0] } + ["--entity", "Employee"] + words)
        #expect(both.status == 0 && both.output == "lastName\nHolm\nZuse\n", "\(both.summary)")
        let one = try ferry(
            "fetch", [store, second], ["--entity", "Employee", "--where", "SELF == '\(uris[1])'"] + words)
        #expect(one.output == "lastName\nZuse\n", "\(one.summary)")
        let none = try ferry("fetch", [store, second], ["--id", "x-coredata://OTHER/Employee/p1"])
        #expect(none.status == 2 && none.errors.contains("is not an object of one of the stores"), "\(none.summary)")
    }

    @Test func whatStoresCannotAnswerTogetherIsRefused() throws {
        let second = try makeSecond()
        for words in [
            ["--group", "level", "--count"], ["--columns", "level", "--distinct"], ["--sum", "vacationDays"],
        ] {
            let run = try ferry("fetch", [store, second], ["--entity", "Employee"] + words)
            #expect(run.status == 64 && run.errors.contains("several stores"), "\(run.summary)")
        }
        let twice = try ferry("fetch", [store, store], ["--entity", "Employee"])
        #expect(twice.status == 2 && twice.errors.contains("have the same URIs"), "\(twice.summary)")
        let other = try ferry("fixture", [], ["--version", "Company 2", "--rows", "3", "--output", "New.sqlite"])
        #expect(other.status == 0, "\(other.summary)")
        let versions = try ferry("fetch", [store, "New.sqlite"], ["--entity", "Employee"])
        #expect(
            versions.status == 2 && versions.errors.contains("New.sqlite is of version Company 2, and "),
            "\(versions.summary)")
        let mapping = try ferry("export", [store, second], ["--all", "--output", "out", "--write-mapping", "m.yaml"])
        #expect(mapping.status == 64 && mapping.errors.contains("--write-mapping"), "\(mapping.summary)")
    }

    @Test(arguments: ["csv", "json", "ndjson", "xml"]) func anExportIsOfAllStores(format: String) throws {
        let second = try makeSecond()
        let run = try ferry(
            "export", [store, second],
            ["--entity", "Employee", "--columns", "lastName", "--sort", "lastName", "--format", format])
        #expect(run.status == 0, "\(run.summary)")
        let names = try rows(second, "ZLASTNAME", "AND Z_NAME = 'Employee' ORDER BY ZLASTNAME, store, Z_PK")
        let wanted: String
        switch format {
        case "csv": wanted = "lastName\n" + names.map { $0 + "\n" }.joined()
        case "ndjson": wanted = names.map { "{\"lastName\":\"\($0)\"}\n" }.joined()
        case "json":
            let array = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: String]]
            #expect(array?.map { $0["lastName"] } == names)
            return
        default:
            let found = run.output.split(separator: "<lastName>").dropFirst().map {
                String($0.prefix { $0 != "<" })
            }
            #expect(found == names && run.output.hasSuffix("List>\n"), "\(run.summary)")
            return
        }
        #expect(run.output == wanted)
    }

    /// What tells the objects of each store apart need not do so for those of both.
    @Test func keysTellTheObjectsOfAllStoresApart() throws {
        let second = try makeSecond()
        let words = ["--entity", "Project", "--format", "ndjson"]
        let alone = try ferry("export", [store], words)
        #expect(alone.output.contains(#"["E-"#), "\(alone.summary)")
        let same = try ferry("export", [store, second], words)
        #expect(!same.output.contains(#"["E-"#) && same.output.contains("B0000000-0000-4000-8000-00000000000B/"))
        #expect(same.status == 1 && same.errors.contains("Project.lead"), "\(same.summary)")
        let third = try makeSecond(
            named: "Third.sqlite", "UPDATE ZPERSON SET ZEMPLOYEEID = replace(ZEMPLOYEEID, 'E-', 'F-')")
        let differing = try ferry("export", [store, third], words)
        #expect(differing.output.contains(#"["E-"#) && differing.output.contains(#"["F-"#), "\(differing.summary)")
        #expect(!differing.output.contains("Employee/p"))
    }

    @Test(.long) func storesOfConfigurationsAreOne() throws {
        for (configuration, name) in [("Cloud", "Ada"), ("Local", "seen")] {
            try directory.write("\(configuration == "Cloud" ? "name" : "text")\n\(name)\n", to: "\(configuration).csv")
        }
        try FileManager.default.createDirectory(
            atPath: directory.file("App.xcdatamodeld/App.xcdatamodel"), withIntermediateDirectories: true)
        try directory.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/></entity>
                <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/></entity>
                <configuration name="Cloud"><memberEntity name="Person"/></configuration>
                <configuration name="Local"><memberEntity name="Note"/></configuration>
            </model>
            """, to: "App.xcdatamodeld/App.xcdatamodel/contents")
        let app = ["--models", "App.xcdatamodeld"]
        for (configuration, entity) in [("Cloud", "Person"), ("Local", "Note")] {
            let run = try ToolProcess.ferry(
                ["import", "\(configuration).csv", "--store", "\(configuration).sqlite"] + app
                    + ["--configuration", configuration, "--entity", entity], in: directory.path)
            #expect(run.status == 0, "\(run.summary)")
        }
        let exported = try ToolProcess.ferry(
            ["export", "Cloud.sqlite", "Local.sqlite"] + app + ["--all", "--output", "out"], in: directory.path)
        #expect(exported.status == 0, "\(exported.summary)")
        #expect(try String(contentsOfFile: directory.file("out/Person.csv"), encoding: .utf8) == "name\nAda\n")
        #expect(try String(contentsOfFile: directory.file("out/Note.csv"), encoding: .utf8) == "text\nseen\n")
    }
}

extension StoreRows {
    /// The rows of a query over two stores; the second one is attached as `other`.
    fileprivate static func attached(_ store: String, _ other: String, _ sql: String) throws -> [[String]] {
        let connection = try Connection(path: store, access: .readWrite)
        defer { try? connection.close() }
        try connection.execute("ATTACH '\(other)' AS other")
        return try connection.rows(sql).map { row in
            row.map { value in
                switch value {
                case .integer(let number): "\(number)"
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                default: ""
                }
            }
        }
    }
}
