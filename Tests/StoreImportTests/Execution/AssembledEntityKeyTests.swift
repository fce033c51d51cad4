import ImportTestSupport
import PersistentStores
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of objects whose keys have objects of several entities of one table: assembled and
/// written by SQLite, both are what a plain model has.
@Suite struct AssembledEntityKeyTests {
    private struct Record {
        let kind: String
        let place: String
        let serial: Int
        let number: Int?
        /// The number of a line's document.
        let document: Int?
        /// The lines of an order.
        var lines: [Int?] = []

        private static func text(_ fields: [(String, Int?)], _ rest: String = "") -> String {
            "{" + fields.map { "\"\($0)\": \($1.map { "\($0)" } ?? "null")" }.joined(separator: ", ") + rest + "}"
        }

        var line: String {
            let lines = lines.map { Self.text([("number", $0), ("serial", serial)]) }.joined(separator: ", ")
            return Self.text(
                [("number", number), ("document", document), ("serial", serial)],
                kind == "Order" ? ", \"lines\": [\(lines)]" : "") + "\n"
        }
    }

    private struct Scenario: RandomImport {
        let isNested: Bool
        /// The entity of the lines' documents.
        let target: String
        let match: [String: String]
        var mapping = ""
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        let entities: String = {
            func link(_ name: String, _ entity: String, _ inverse: String, isToMany: Bool = false) -> String {
                "<relationship name=\"\(name)\" optional=\"YES\" \(isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") "
                    + "destinationEntity=\"\(entity)\" inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
            }
            let numbers = ["number", "serial"].map {
                "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"Integer 32\"/>"
            }.joined()
            return """
                <entity name="Document">\(numbers)\(link("lines", "Line", "document", isToMany: true))</entity>
                <entity name="Order" parentEntity="Document"/>
                <entity name="Rush" parentEntity="Order"/>
                <entity name="Invoice" parentEntity="Document"/>
                <entity name="Line">\(numbers)\(link("document", "Document", "lines"))
                \(link("notes", "Note", "line", isToMany: true))</entity>
                <entity name="Note">\(numbers)\(link("line", "Line", "notes"))</entity>
                """
        }()

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isNested = number(below: 2) == 0
            target = isNested ? "Order" : pick(["Document", "Order"])
            let rules = ["update", "update", "fill", "skip", "error"]
            match = Dictionary(
                uniqueKeysWithValues: ["Document", "Order", "Rush", "Invoice", "Line"].map { ($0, pick(rules)) })
            let key = pick(["[number, document]", "[document, number]"])
            var sources: [(String, String)] = []
            for kind in ["Document", "Order", "Rush", "Invoice"] where number(below: 4) > 0 || kind == "Order" {
                let own = "key: number\n    onMatch: \(match[kind] ?? "")\n    attributes: [number, serial]\n"
                guard kind == "Order", isNested else {
                    sources.append((kind, "entity: \(kind)\n    \(own)"))
                    continue
                }
                sources.append(
                    (
                        kind,
                        """
                        objects:
                              - id: order
                                entity: Order
                                key: number
                                onMatch: \(match[kind] ?? "")
                                attributes: [number, serial]
                              - entity: Line
                                each: lines[*]
                                key: \(key)
                                onMatch: \(match["Line"] ?? "")
                                attributes: [number, serial]
                                relationships: {document: {object: order}}

                        """
                    ))
            }
            let missing = pick(["skip", "error"])
            sources.append(
                (
                    "Line",
                    """
                    entity: Line
                        key: \(key)
                        onMatch: \(match["Line"] ?? "")
                        attributes: [number, serial]
                        relationships:
                          document: {by: number, entity: \(target), from: document, onMissing: \(missing)}

                    """
                ))
            sources.append(
                (
                    "Note",
                    """
                    entity: Note
                        attributes: [serial]
                        relationships: {line: {by: {number: number, document.number: document}}}

                    """
                ))
            sources.shuffle(using: &random)
            mapping = "import: 1\nsources:\n"
            let most = [2, 3, 8].randomElement(using: &random) ?? 2
            func value() -> Int? { number(below: 12) == 0 ? nil : number(below: most) }
            for (kind, text) in sources {
                mapping += "  - files: \(kind)*.json\n    \(text)"
                for part in 0..<number(below: 2) + 1 {
                    var lines = ""
                    for line in 0..<number(below: 8) {
                        var record = Record(
                            kind: kind, place: "\(kind)\(part).json:\(line + 1)", serial: records.count,
                            number: value(), document: value())
                        if kind == "Order" { record.lines = (0..<number(below: 3)).map { _ in value() } }
                        records.append(record)
                        lines += record.line
                    }
                    files.append(("\(kind)\(part).json", lines))
                }
            }
        }
    }

    /// What the records come to, read one after the other.
    private struct Plain {
        private static let parents = ["Order": "Document", "Rush": "Order", "Invoice": "Document"]

        private static func isKind(_ entity: String, of other: String) -> Bool {
            entity == other || parents[entity].map { isKind($0, of: other) } ?? false
        }

        private struct State {
            var documents: [(entity: String, number: Int?, serial: Int)] = []
            var lines: [(document: Int?, number: Int?, serial: Int)] = []
        }

        private var state = State()
        private let scenario: Scenario
        private(set) var rejected: Set<String> = []
        private(set) var notes: [String] = []

        init(_ scenario: Scenario) {
            self.scenario = scenario
            for record in scenario.records {
                let before = state
                if take(record) { continue }
                rejected.insert(record.place)
                state = before
            }
            for record in scenario.records where record.kind == "Note" {
                let line = state.lines.first { line in
                    record.number != nil && record.document != nil && line.number == record.number
                        && line.document.map { state.documents[$0].number == record.document } ?? false
                }
                notes.append("\(record.serial)|\(line.map { "\($0.serial)" } ?? "NULL")")
            }
            notes.sort()
        }

        private func document(_ number: Int?, as entity: String) -> Int? {
            state.documents.firstIndex { number != nil && $0.number == number && Self.isKind($0.entity, of: entity) }
        }

        /// Takes a record; false if it is rejected.
        private mutating func take(_ record: Record) -> Bool {
            switch record.kind {
            case "Note": return true
            case "Line":
                let found = document(record.document, as: scenario.target)
                if record.document != nil, found == nil { return false }
                return takeLine(record.number, of: found, record.serial)
            default:
                var found = document(record.number, as: record.kind)
                if let found {
                    if scenario.match[record.kind] == "error" { return false }
                    if scenario.match[record.kind] == "update" { state.documents[found].serial = record.serial }
                } else {
                    state.documents.append((record.kind, record.number, record.serial))
                    found = state.documents.count - 1
                }
                guard scenario.isNested else { return true }
                return record.lines.allSatisfy { takeLine($0, of: found, record.serial) }
            }
        }

        private mutating func takeLine(_ number: Int?, of document: Int?, _ serial: Int) -> Bool {
            let known = state.lines.firstIndex {
                number != nil && document != nil && $0.number == number && $0.document == document
            }
            guard let known else {
                state.lines.append((document, number, serial))
                return true
            }
            if scenario.match["Line"] == "update" { state.lines[known].serial = serial }
            return scenario.match["Line"] != "error"
        }

        private static func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "NULL" }

        var documents: [String] {
            state.documents.map { "\($0.entity)|\(Self.text($0.number))|\($0.serial)" }.sorted()
        }

        var lines: [String] {
            state.lines.map { line in
                let document = line.document.map { state.documents[$0] }
                return "\(Self.text(line.number))|\(line.serial)|\(document?.entity ?? "NULL")|"
                    + Self.text(document?.serial)
            }.sorted()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func keysHaveObjectsOfSeveralEntities(size: Int) throws {
        var (rejections, lines) = (0, 0)
        try Scenario.forEachCase(60, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                let context = "\(writer) \(report.lookupReasons ?? []) \(random.context)"
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                try fixture.requireRows(
                    """
                    SELECT k.Z_NAME, d.ZNUMBER, d.ZSERIAL FROM ZDOCUMENT d \
                    JOIN Z_PRIMARYKEY k ON k.Z_ENT = d.Z_ENT
                    """, plain.documents, context)
                try fixture.requireRows(
                    """
                    SELECT l.ZNUMBER, l.ZSERIAL, k.Z_NAME, d.ZSERIAL FROM ZLINE l \
                    LEFT JOIN ZDOCUMENT d ON d.Z_PK = l.ZDOCUMENT LEFT JOIN Z_PRIMARYKEY k ON k.Z_ENT = d.Z_ENT
                    """, plain.lines, context)
                try fixture.requireRows(
                    "SELECT n.ZSERIAL, l.ZSERIAL FROM ZNOTE n LEFT JOIN ZLINE l ON l.Z_PK = n.ZLINE", plain.notes,
                    context)
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            // A record may be rejected for any of its objects.
            if scenario.match.values.count(where: { $0 == "error" }) < 2 {
                #expect(found.entities == expected.entities, "\(random.context)")
            }
            rejections += plain.rejected.count
            lines += plain.lines.count
            return found
        }
        #expect(TestSettings.isFast || rejections > 5 && lines > 20, "\(rejections) rejected, \(lines) lines")
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
