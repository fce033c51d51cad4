import Foundation
import GeneratedStores
import SQLiteAccess
import TestSupport
import Testing

/// Imports that are killed at random, and go on: nothing is lost, nothing comes twice.
@Suite struct ImportKillTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Team"><attribute name="code" attributeType="String"/>
        <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
        inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="name" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
        inverseEntity="Team"/>
        <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends" \
        inverseEntity="Person"/></entity></model>
        """
    private static let mapping = """
        import: 1
        sources:
          - files: people*
            entity: Person
            key: name
            attributes: [name, age]
            relationships:
              team: {by: code, from: team, onMissing: error}
              friends: {by: name, from: friends, separator: ;}
          - {files: teams*, entity: Team, key: code, attributes: [code]}
        """

    /// The same numbers in every run.
    private struct Numbers {
        var state: UInt64

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
    }

    private let directory: TemporaryDirectory
    private let words: [String]

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("M.xcdatamodel"), withIntermediateDirectories: true)
        let model = try directory.write(Self.model, to: "M.xcdatamodel/contents")
        words = [
            "--models", (model as NSString).deletingLastPathComponent, "--progress", "none", "--batch-rows", "5",
            "--mapping", try directory.write(Self.mapping, to: "mapping.yaml"),
        ]
    }

    /// Records with good and bad values, keys that come again, references forwards and to nothing.
    private func sources(_ format: String) throws -> [String] {
        var numbers = Numbers(state: 7)
        var people: [[String]] = []
        for index in 0..<300 {
            let friends = (0..<index % 3).map { _ in "p\(numbers.next(below: 270))" }.joined(separator: ";")
            people.append([
                "p\(numbers.next(below: 260))", index % 11 == 0 ? "x" : "\(index % 90)", "t\(numbers.next(below: 35))",
                friends,
            ])
        }
        let teams = (0..<30).map { ["t\($0)"] }
        let columns = (people: ["name", "age", "team", "friends"], teams: ["code"])
        func write(_ name: String, _ columns: [String], _ rows: [[String]]) throws -> String {
            switch format {
            case "csv":
                let lines = ([columns] + rows).map { $0.joined(separator: ",") + "\n" }
                return try directory.write(lines.joined(), to: name + ".csv")
            case "ndjson":
                let lines = rows.map { row in
                    "{" + zip(columns, row).map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ") + "}\n"
                }
                return try directory.write(lines.joined(), to: name + ".ndjson")
            case "xml":
                let items = rows.map { row in
                    "<item>" + zip(columns, row).map { "<\($0)>\($1)</\($0)>" }.joined() + "</item>\n"
                }
                return try directory.write("<list>" + items.joined() + "</list>\n", to: name + ".xml")
            case "sqlite":
                let path = directory.file(name + ".db")
                let connection = try Connection(path: path, access: .create)
                try connection.execute("CREATE TABLE list (\(columns.joined(separator: ", ")))")
                for row in rows {
                    let marks = row.map { _ in "?" }.joined(separator: ", ")
                    try connection.execute("INSERT INTO list VALUES (\(marks))", row.map { .string($0) })
                }
                try connection.close()
                return path
            default:
                let items = rows.map { row in
                    "{" + zip(columns, row).map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ") + "}"
                }
                return try directory.write("[" + items.joined(separator: ",\n") + "]", to: name + ".json")
            }
        }
        return [try write("people", columns.people, people), try write("teams", columns.teams, teams)]
    }

    private func run(_ sources: [String], _ name: String, _ more: [String], killAt: Int? = nil) throws
        -> ToolProcess.Result
    {
        try ToolProcess.ferry(
            ["import"] + sources + ["--store", directory.file(name + ".sqlite"), "--rejects", directory.file(name)]
                + words + more, environment: killAt.map { ["FERRY_TEST_KILL_AT": String($0)] } ?? [:])
    }

    /// The mapping says where the records of a format are.
    private func mapping(_ format: String) throws {
        let place =
            switch format {
            case "xml": ", format: xml, records: item"
            case "sqlite": ", format: sqlite, table: list"
            default: ""
            }
        let text = Self.mapping.replacingOccurrences(of: "files: teams*", with: "files: teams*" + place)
            .replacingOccurrences(
                of: "files: people*", with: "files: people*" + place.replacingOccurrences(of: ", ", with: "\n    "))
        _ = try directory.write(text, to: "mapping.yaml")
    }

    /// All rows but the store's own identifier.
    private func rows(_ name: String) throws -> [String: [String]] {
        var rows = try StoreDump(of: directory.file(name + ".sqlite")).rows
        rows["Z_METADATA"] = nil
        return rows
    }

    /// The objects and their links, by name.
    private func objects(_ name: String) throws -> [[SQLiteValue]] {
        let connection = try Connection(path: directory.file(name + ".sqlite"), access: .readOnly)
        defer { try? connection.close() }
        return try connection.rows(
            """
            SELECT p.ZNAME, p.ZAGE, t.ZCODE FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM UNION ALL
            SELECT p.ZNAME, 'friend', f.ZNAME FROM Z_1FRIENDS j JOIN ZPERSON p ON p.Z_PK = j.Z_1FRIENDS
            JOIN ZPERSON f ON f.Z_PK = j.REFLEXIVE ORDER BY 1, 2, 3
            """)
    }

    private func rejects(_ name: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: directory.file(name)) {
            let path = directory.file(name) + "/" + file
            if file.hasSuffix(".sqlite") || file.hasSuffix(".db") {
                let connection = try Connection(path: path, access: .readOnly)
                let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
                for table in tables.compactMap({ $0[0].string }) {
                    let rows = try connection.rows("SELECT * FROM \(SQLiteIdentifier.quoted(table)) ORDER BY rowid")
                    files["\(file) \(table)"] = "\(rows)"
                }
                try connection.close()
            } else {
                files[file] = try String(contentsOfFile: path, encoding: .utf8)
            }
        }
        return files
    }

    private func isInterrupted(_ name: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: directory.file(name + ".sqlite")) else { return false }
        return try rows(name)["ferry_progress"] != nil
    }

    @Test(.long, arguments: ["csv", "ndjson", "json", "xml", "sqlite"])
    func anImportThatIsKilledAgainAndAgainComesToTheSameEnd(format: String) throws {
        let kills = TestSettings.killsAtEveryPoint ? 30 : 3
        let sources = try sources(format)
        try mapping(format)
        // The builder gives objects whose first record is rejected other primary keys: its objects are the same.
        let whole = try run(sources, "whole", ["--writer", "sqlite"])
        #expect(whole.status == 1, "\(whole.summary)")
        #expect(try run(sources, "built", []).status == 1)
        #expect(try objects("built") == objects("whole"))
        let batch = ["--commit", "batch"]
        #expect(try run(sources, "batch", batch).status == 1)
        #expect(try rows("batch") == rows("whole"))
        var numbers = Numbers(state: 42)
        var count = 0
        var round = 0
        while count < kills {
            round += 1
            let name = "killed\(round)"
            var ended: ToolProcess.Result
            repeat {
                let resume = try isInterrupted(name) ? ["--resume"] : ["--force"]
                ended = try run(
                    sources, name, batch + resume, killAt: count < kills ? 1 + numbers.next(below: 40) : nil)
                if ended.signal != nil { count += 1 }
            } while ended.signal != nil
            #expect(ended.status == 1, "\(ended.summary)")
            #expect(try rows(name) == rows("batch"))
            #expect(try rejects(name) == rejects("batch"))
        }
    }

    @Test(.long) func anImportAsAWholeThatIsKilledLeavesNothing() throws {
        let sources = try sources("csv")
        _ = try run(sources, "whole", [])
        for point in TestSettings.killsAtEveryPoint ? Array(1...69) : [30, 67, 69] {
            let killed = try run(sources, "store\(point)", [], killAt: point)
            if killed.signal != nil {
                #expect(!FileManager.default.fileExists(atPath: directory.file("store\(point).sqlite")))
            }
            if killed.signal != nil { #expect(try run(sources, "store\(point)", ["--force"]).status == 1) }
            #expect(try rows("store\(point)") == rows("whole"))
            #expect(!FileManager.default.fileExists(atPath: directory.file(".store\(point).sqlite.ferry-staging")))
        }
        // Into a store that is there.
        let before = try rows("whole")
        let more = [sources[0], try directory.write("code\nt31\nt32\n", to: "teams2.csv")]
        for point in TestSettings.killsAtEveryPoint ? Array(1...61) : [40, 61] {
            #expect(try run(more, "whole", ["--force"], killAt: point).signal != nil)
            #expect(try rows("whole") == before)
        }
        #expect(try run(more, "whole", ["--force"]).status == 1)
        #expect(try rows("whole") != before)
    }

    @Test func onlyAnInterruptedImportGoesOnAndOnlyWithTheSameSources() throws {
        let sources = try sources("csv")
        let batch = ["--commit", "batch"]
        #expect(try run(sources, "a", ["--resume"]).status == 64)
        #expect(try run(sources, "a", batch, killAt: 40).signal != nil)
        for words in [[], batch] {
            let refused = try run(sources, "a", words)
            #expect(refused.status == 2 && refused.errors.contains("interrupted"), "\(refused.summary)")
        }
        let edited = try ToolProcess.ferry([
            "edit", directory.file("a.sqlite"), "--models", words[1], "--delete", "Team", "--where", "TRUEPREDICATE",
        ])
        #expect(edited.status == 2 && edited.errors.contains("--abandon"), "\(edited.summary)")
        let other = try run([sources[1], sources[0]], "a", batch + ["--resume"])
        #expect(other.status == 2 && other.errors.contains("same one"), "\(other.summary)")
        let text = try String(contentsOfFile: sources[0], encoding: .utf8)
        _ = try directory.write(text + "q,1,t1,\n", to: "people.csv")
        let changed = try run(sources, "a", batch + ["--resume"])
        #expect(changed.status == 2 && changed.errors.contains("changed"), "\(changed.summary)")
        let input = try run(["-", sources[1]], "a", batch + ["--resume"])
        #expect(input.status == 2, "\(input.summary)")
        #expect(try run([sources[1]], "b", []).status == 1)
        let nothing = try run([sources[1]], "b", batch + ["--resume"])
        #expect(nothing.status == 2 && nothing.errors.contains("without --resume"), "\(nothing.summary)")
    }
}
