import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Records that are rejected, mended in the reject file and imported again: the store is that of a clean import.
@Suite struct RejectRoundTripTests {
    private let directory: TemporaryDirectory
    private let model: String

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("M.xcdatamodel"), withIntermediateDirectories: true)
        model = directory.file("M.xcdatamodel")
        try directory.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
              <entity name="Person">
                <attribute name="id" attributeType="Integer 16"/>
                <attribute name="name" attributeType="String" maxValueString="20"/>
                <attribute name="born" optional="YES" attributeType="Date"/>
                <attribute name="mail" optional="YES" attributeType="String" regularExpressionString=".+@.+"/>
                <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" inverseEntity="Team"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint></uniquenessConstraints>
              </entity>
              <entity name="Team">
                <attribute name="name" attributeType="String"/>
                <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" inverseEntity="Person"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
              </entity>
            </model>
            """, to: "M.xcdatamodel/contents")
    }

    struct Format: Sendable, CustomStringConvertible {
        let name: String
        let source: String
        /// The file of the rejected records.
        let rejected: String
        let mapping: String
        let head: String
        let separator: String
        let foot: String
        let record: @Sendable (Person) -> String
        var description: String { name }
    }

    /// The texts of one record.
    struct Person: Sendable {
        var id: String
        var name: String
        var born = "1815-12-10"
        var mail = "a@b"
        var team = "Red"
    }

    private static let attributes = "attributes: {id: id, name: name, born: born, mail: mail}\n"
    private static let team = "relationships: {team: {by: name, from: team, onMissing: error}}\n"

    private static func json(_ person: Person) -> String {
        "{\"id\": \"\(person.id)\", \"name\": \"\(person.name)\", \"born\": \"\(person.born)\", \"mail\": \"\(person.mail)\", "
            + "\"team\": \"\(person.team)\"}"
    }

    static let formats = [
        Format(
            name: "CSV", source: "people.csv", rejected: "people.rejected.csv",
            mapping: "import: 1\nfiles: people*.csv\nentity: Person\n" + attributes + team,
            head: "id,name,born,mail,team\r\n", separator: "\r\n", foot: "\r\n",
            record: { "\($0.id),\"\($0.name)\",\($0.born),\($0.mail),\($0.team)" }),
        Format(
            name: "JSON", source: "people.json", rejected: "people.rejected.json",
            mapping: "import: 1\nfiles: people*.json\nentity: Person\n" + attributes + team, head: "[",
            separator: ",\n ",
            foot: "]\n", record: json),
        Format(
            name: "NDJSON", source: "people.ndjson", rejected: "people.rejected.ndjson",
            mapping: "import: 1\nfiles: people*.ndjson\nentity: Person\n" + attributes + team, head: "",
            separator: "\n",
            foot: "\n", record: json),
        Format(
            name: "XML", source: "people.xml", rejected: "people.rejected.xml",
            mapping: "import: 1\nfiles: people*.xml\nrecords: /people/person\nentity: Person\n" + attributes + team,
            head: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<people>", separator: "\n", foot: "</people>\n",
            record: {
                "<person><id>\($0.id)</id><name>\($0.name)</name><born>\($0.born)</born><mail>\($0.mail)</mail>"
                    + "<team>\($0.team)</team></person>"
            }),
    ]

    private static let good = (1...40).map { Person(id: "\($0)", name: "Ä\($0)", team: $0 % 2 == 0 ? "Red" : "Blue") }

    /// What is wrong with some of them, with the number of Core Data's error.
    private static let faults: [(index: Int, code: Int, property: String, change: @Sendable (inout Person) -> Void)] = [
        (2, 1610, "id", { $0.id = "40000" }), (7, 1550, "id", { $0.id = "x7" }),
        (12, 1660, "name", { $0.name = String(repeating: "n", count: 21) }), (13, 1650, "born", { $0.born = "never" }),
        (25, 1680, "mail", { $0.mail = "nobody" }), (39, 0, "team", { $0.team = "Green" }),
    ]

    private func write(_ people: [Person], _ format: Format, to name: String) throws -> String {
        try directory.write(
            format.head + people.map(format.record).joined(separator: format.separator) + format.foot, to: name)
    }

    private func run(_ source: String, _ format: Format, into store: String, _ more: [String] = []) throws
        -> ToolProcess.Result
    {
        let mapping = try directory.write(format.mapping, to: "mapping.yaml")
        return try ToolProcess.ferry(
            [
                "import", source, "--models", model, "--store", directory.file(store), "--mapping", mapping,
                "--progress", "none",
            ]
                + more)
    }

    private func prepare(_ store: String) throws {
        let teams = try directory.write("name\nRed\nBlue\n", to: "teams.csv")
        let run = try ToolProcess.ferry(
            [
                "import", teams, "--models", model, "--store", directory.file(store), "--entity", "Team", "--progress",
                "none",
            ])
        try #require(run.status == 0, "\(run.summary)")
    }

    private func content(_ store: String) throws -> [String] {
        let connection = try Connection(path: directory.file(store), access: .readOnly)
        defer { try? connection.close() }
        return try KnownFacts.rows(
            """
            SELECT p.ZID, p.ZNAME, p.ZBORN, p.ZMAIL, t.ZNAME FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM
            """, connection)
    }

    @Test(.long, arguments: formats) func mendedRejectsGiveTheStoreOfACleanImport(_ format: Format) throws {
        try prepare("clean.sqlite")
        let clean = try run(
            try write(Self.good, format, to: "clean/" + format.source, in: directory), format, into: "clean.sqlite")
        #expect(clean.status == 0, "\(clean.summary)")

        try prepare("mended.sqlite")
        var damaged = Self.good
        for fault in Self.faults { fault.change(&damaged[fault.index]) }
        let source = try write(damaged, format, to: format.source)
        let rejects = directory.file("rejects")
        let first = try run(source, format, into: "mended.sqlite", ["--rejects", rejects, "--batch-rows", "7"])
        #expect(first.status == 1, "\(first.summary)")
        #expect(try content("mended.sqlite").count == Self.good.count - Self.faults.count)

        // Mended by hand: each bad text is there once, and nothing else is touched.
        var text = try directory.text("rejects/" + format.rejected)
        for fault in Self.faults {
            let bad = format.record(damaged[fault.index])
            #expect(text.components(separatedBy: bad).count == 2, "\(bad) in\n\(text)")
            text = text.replacingOccurrences(of: bad, with: format.record(Self.good[fault.index]))
        }
        let mended = try directory.write(text, to: "rejects/" + format.rejected)
        let second = try run(mended, format, into: "mended.sqlite")
        #expect(second.status == 0, "\(second.summary)")
        #expect(try content("mended.sqlite") == content("clean.sqlite"))
        #expect(try content("mended.sqlite").count == Self.good.count)
    }

    @Test(arguments: formats) func theLogSaysTrulyWhere(_ format: Format) throws {
        try prepare("s.sqlite")
        var damaged = Self.good
        for fault in Self.faults { fault.change(&damaged[fault.index]) }
        let source = try write(damaged, format, to: format.source)
        _ = try run(source, format, into: "s.sqlite", ["--rejects", directory.file("rejects"), "--batch-rows", "7"])
        let entries = try directory.text("rejects/rejects.ndjson").split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(entries.count == Self.faults.count, "\(entries)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: source))
        for fault in Self.faults {
            let entry = try #require(
                entries.first { $0["record"] as? Int == fault.index + 1 }, "no entry for record \(fault.index + 1)")
            #expect(entry["file"] as? String == source)
            #expect(entry["entity"] as? String == "Person")
            #expect(entry["property"] as? String == fault.property)
            #expect(fault.code == 0 || entry["code"] as? Int == fault.code, "\(entry)")
            #expect((entry["message"] as? String)?.isEmpty == false)
            // At the byte offset the record begins, and before it there are as many lines as the log says.
            let offset = try #require(entry["byteOffset"] as? Int)
            let record = Data(format.record(damaged[fault.index]).utf8)
            #expect(bytes[offset...].starts(with: record), "byte \(offset)")
            #expect(entry["line"] as? Int == bytes[..<offset].count { $0 == 0x0A } + 1)
        }
        try checkTable(entries)
    }

    /// The log for spreadsheets says the same as that for programs, in the columns that are documented.
    private func checkTable(_ entries: [[String: Any]]) throws {
        let lines = try directory.text("rejects/rejects.csv").components(separatedBy: "\r\n").dropLast()
        let columns = "file,record,line,byteOffset,column,entity,property,code,error,value,message"
        #expect(lines.first == columns)
        for (entry, line) in zip(entries, lines.dropFirst()) {
            let row = columns.split(separator: ",").map { name -> String in
                guard let value = entry[String(name)] else { return "" }
                let text = "\(value)"
                return text.contains { ",\"\n\r".contains($0) }
                    ? "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : text
            }
            #expect(line == row.joined(separator: ","))
        }
        #expect(lines.count == entries.count + 1)
    }

    private func write(_ people: [Person], _ format: Format, to name: String, in folder: TemporaryDirectory) throws
        -> String
    {
        try FileManager.default.createDirectory(
            atPath: (folder.file(name) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        return try write(people, format, to: name)
    }
}
