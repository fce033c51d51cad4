import Foundation
import SQLiteAccess
import TestSupport

/// Random sources with a mapping for them: values with everything in them that a division could cut.
struct ShardScenario {
    static let entities = """
        <entity name="Person"><attribute name="number" optional="YES" attributeType="Integer 16"/>
        <attribute name="name" optional="YES" attributeType="String" minValueString="2"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" \
        inverseEntity="Team"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
        inverseEntity="Person"/>
        <relationship name="staff" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" inverseName="boss" \
        inverseEntity="Person"/>
        <relationship name="projects" optional="YES" toMany="YES" destinationEntity="Project" inverseName="people" \
        inverseEntity="Person"/></entity>
        <entity name="Project"><attribute name="code" optional="YES" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="projects" \
        inverseEntity="Project"/></entity>
        <entity name="Team"><attribute name="code" optional="YES" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
        inverseEntity="Person"/></entity>
        """

    enum Kind: CaseIterable {
        case delimited, lines, array, members, xml, database
    }

    /// A person as a source has it; nil for what it does not mention.
    struct Record {
        var number: String
        var name: String?
        var team: String?
        var boss: String?
        var projects: [String]
    }

    let kind: Kind
    private(set) var mapping: String
    /// The files by their names.
    private(set) var files: [(name: String, content: Data)] = []
    /// The rows of databases by their names.
    private(set) var databases: [(name: String, rows: [Record])] = []

    init(_ kind: Kind, _ random: inout RandomNumbers) {
        self.kind = kind
        mapping = ""
        let names = ["a", "b", "c"].prefix(Int.random(in: 1...3, using: &random))
        var format = ""
        let dialect = Dialect(&random)
        // Where no record names another one by its number, an assembly need not compare numbers that are all different.
        let hasBosses = Int.random(in: 0..<3, using: &random) > 0
        let areNumbersDistinct = Bool.random(using: &random)
        var number = 0
        for name in names {
            var records = (0..<Int.random(in: 0..<40, using: &random)).map { _ in Self.record(&random) }
            for index in records.indices where areNumbersDistinct && records[index].number != "99999" {
                number += 7
                records[index].number = "\(number % 1009)"
            }
            switch kind {
            case .delimited:
                files.append((name + ".csv", dialect.file(records, &random)))
                format = dialect.settings
            case .lines:
                let text = records.map { Self.json($0) + "\n" }.joined()
                files.append((name + ".ndjson", Data(text.utf8)))
            case .array:
                let text =
                    "{\"version\": 1, \"people\": [" + records.map { Self.json($0) }.joined(separator: ",\n ") + "]}\n"
                files.append((name + ".json", Data(text.utf8)))
                format = "    records: people\n"
            case .members:
                let members = records.enumerated().map { "\"k\($0)\": " + Self.json($1) }
                files.append((name + ".json", Data("{\(members.joined(separator: ",\n"))}\n".utf8)))
                format = "    records: '*'\n"
            case .xml:
                let text =
                    "<all><people kind='x'>" + records.map { Self.xml($0) }.joined(separator: "\n") + "</people></all>"
                files.append((name + ".xml", Data(text.utf8)))
                format = "    records: /all/people/person\n"
            case .database:
                databases.append((name + ".db", records))
                format = "    table: people\n"
            }
        }
        let pattern = kind == .database ? "'*.db'" : "'*.\(files[0].name.split(separator: ".")[1])'"
        let isNested = ![.delimited, .database].contains(kind)
        let match = ["update", "skip", "fill"].randomElement(using: &random) ?? "update"
        let missing = { (random: inout RandomNumbers) in
            ["create", "skip", "error"].randomElement(using: &random) ?? "skip"
        }
        mapping = """
            import: 1
            sources:
              - files: \(pattern)
            \(format)    entity: Person
                key: number
                onMatch: \(match)
                attributes: [number, name]
                relationships:
                  team: {by: code, from: team, onMissing: \(missing(&random))}
            \(hasBosses ? "      boss: {by: number, from: boss, onMissing: \(match == "skip" ? "skip" : missing(&random))}\n" : "")\
                  projects: {by: code, from: '\(isNested ? "projects[*]" : "projects")'\(isNested ? "" : ", separator: '|'"), \
            onMissing: create, add: \(Bool.random(using: &random))}

            """
        if kind == .xml { mapping = mapping.replacingOccurrences(of: "projects[*]", with: "project") }
    }

    private static func record(_ random: inout RandomNumbers) -> Record {
        func pick(_ values: [String?]) -> String? { values.randomElement(using: &random) ?? nil }
        let names: [String?] = [
            "Ada", "two\nlines", "semi;comma,tab\tpipe", "say \"hi\"", "it's", "Ünïcödé ☃", "x", nil, "#not a comment",
            "back\\slash", "end\r\nend", "  spaces  ", "'quoted'", "\"",
        ]
        return Record(
            number: pick([
                "\(Int.random(in: 0..<60, using: &random))", "\(Int.random(in: 0..<60, using: &random))", "99999",
            ])
                ?? "1",
            name: pick(names), team: pick([nil, "t1", "t2", "t;3"]),
            boss: pick([nil, nil, "\(Int.random(in: 0..<70, using: &random))"]),
            projects: (0..<Int.random(in: 0..<3, using: &random)).map { _ in "p\(Int.random(in: 0..<9, using: &random))"
            })
    }

    private static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func json(_ record: Record) -> String {
        var members = ["\"number\": \(record.number)"]
        if let name = record.name { members.append("\"name\": " + literal(name)) }
        if let team = record.team { members.append("\"team\": " + literal(team)) }
        if let boss = record.boss { members.append("\"boss\": \(boss)") }
        members.append("\"projects\": [\(record.projects.map { literal($0) }.joined(separator: ", "))]")
        return "{" + members.joined(separator: ", ") + "}"
    }

    private static func xml(_ record: Record) -> String {
        func escaped(_ text: String) -> String {
            text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        }
        var text = "<person><number>\(record.number)</number>"
        if let name = record.name { text += "<name>\(escaped(name))</name>" }
        if let team = record.team { text += "<team>\(escaped(team))</team>" }
        if let boss = record.boss { text += "<boss>\(boss)</boss>" }
        for project in record.projects { text += "<project>\(project)</project>" }
        return text + "</person>"
    }

    /// Writes the sources to a folder; their paths.
    func write(to directory: TemporaryDirectory) throws -> [String] {
        for file in files { try file.content.write(to: URL(fileURLWithPath: directory.file(file.name))) }
        for database in databases {
            let connection = try Connection(path: directory.file(database.name), access: .create)
            try connection.execute(
                "CREATE TABLE people (number, name TEXT, team TEXT, boss INTEGER, projects TEXT); BEGIN")
            for row in database.rows {
                func value(_ text: String?) -> SQLiteValue { text.map { .string($0) } ?? .null }
                try connection.execute(
                    "INSERT INTO people VALUES (?, ?, ?, ?, ?)",
                    [
                        value(row.number), value(row.name), value(row.team), value(row.boss),
                        row.projects.isEmpty ? .null : .string(row.projects.joined(separator: "|")),
                    ])
            }
            try connection.execute("COMMIT")
            try connection.close()
        }
        return (files.map(\.name) + databases.map(\.name)).map { directory.file($0) }
    }
}

extension ShardScenario {
    /// How a delimited file is written.
    struct Dialect {
        private let delimiter: String
        private let quote: Character
        private let newline: String
        private let hasEscape: Bool
        private let hasComments: Bool
        private let skippedLines: Int
        private let isUTF16: Bool

        init(_ random: inout RandomNumbers) {
            delimiter = [",", ";", "\t", "||"].randomElement(using: &random) ?? ","
            quote = Bool.random(using: &random) ? "\"" : "'"
            newline = ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n"
            hasEscape = Int.random(in: 0..<4, using: &random) == 0
            hasComments = Int.random(in: 0..<3, using: &random) == 0
            skippedLines = Int.random(in: 0..<3, using: &random)
            isUTF16 = Int.random(in: 0..<4, using: &random) == 0
        }

        /// As a mapping says it.
        var settings: String {
            var text = "    delimiter: \"\(delimiter == "\t" ? "\\t" : delimiter)\"\n"
            text += "    quote: \"\(quote == "\"" ? "\\\"" : "'")\"\n    skipLines: \(skippedLines)\n"
            text += "    newline: \(newline == "\n" ? "lf" : newline == "\r" ? "cr" : "any")\n    header: true\n"
            if hasEscape { text += "    escape: \"\\\\\"\n" }
            if hasComments { text += "    comment: '#'\n" }
            if isUTF16 { text += "    encoding: utf-16le\n" }
            return text
        }

        func file(_ records: [Record], _ random: inout RandomNumbers) -> Data {
            var text = (0..<skippedLines).map { "written \($0)\(newline)" }.joined()
            text += ["number", "name", "team", "boss", "projects"].joined(separator: delimiter) + newline
            for record in records {
                let values: [String?] = [
                    record.number, record.name, record.team, record.boss, record.projects.joined(separator: "|"),
                ]
                var fields = values.map { field($0, &random) }
                if Int.random(in: 0..<25, using: &random) == 0 { fields.removeLast() }
                if Int.random(in: 0..<25, using: &random) == 0 { fields[1] = "a\(quote)b" }
                if hasComments, Int.random(in: 0..<6, using: &random) == 0 { text += "# it's \"one\(newline)" }
                if Int.random(in: 0..<8, using: &random) == 0 { text += newline }
                text += fields.joined(separator: delimiter) + newline
            }
            if Bool.random(using: &random), text.hasSuffix(newline) {
                text.unicodeScalars.removeLast(newline.unicodeScalars.count)
            }
            return isUTF16 ? Data(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) : Data(text.utf8)
        }

        private func field(_ value: String?, _ random: inout RandomNumbers) -> String {
            guard let value else { return "" }
            let special: [Character] = [quote, "\n", "\r", "\r\n", "\\", "#", " "]
            let isPlain = !value.contains { special.contains($0) } && !value.contains(delimiter.first ?? ",")
            if isPlain, Bool.random(using: &random) { return value }
            var text = String(quote)
            for character in value {
                if character == quote { text.append(hasEscape ? "\\" : quote) }
                if character == "\\", hasEscape { text.append("\\") }
                text.append(character)
            }
            return text + String(quote)
        }
    }
}
