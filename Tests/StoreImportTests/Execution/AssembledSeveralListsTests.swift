import ImportTestSupport
import PersistentStores
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of objects that have several lists of objects of one entity, and whose lists several
/// mappings say: assembled and written by SQLite, both are what a plain model has.
@Suite struct AssembledSeveralListsTests {
    private struct Record {
        let file: String
        let entity: Int
        let code: Int
        /// By list, the codes that it names; nil where it does not mention it.
        var lists: [[Int]?] = []

        static let names = ["members", "guests"]

        var line: String {
            let named = zip(Self.names, lists).compactMap { name, codes in codes.map { "\"\(name)\": \($0)" } }
            return "{" + (["\"code\": \(code)"] + named).joined(separator: ", ") + "}\n"
        }
    }

    private struct Scenario: RandomImport {
        static let owners = ["Team", "Club"]
        let adds: Bool
        let isOrdered: Bool
        /// Whether persons have relationships to their owners.
        let hasInverse: Bool
        var mapping = ""
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        var entities: String {
            let order = isOrdered ? " ordered=\"YES\"" : ""
            let code = "<attribute name=\"code\" optional=\"YES\" attributeType=\"Integer 32\"/>"
            func inverse(_ name: String) -> String {
                hasInverse ? " inverseName=\"\(name)\" inverseEntity=\"Person\"" : ""
            }
            let groups = """
                <entity name="Group">\(code)
                <relationship name="members" optional="YES" toMany="YES"\(order) \
                destinationEntity="Person"\(inverse("group"))/>
                <relationship name="guests" optional="YES" toMany="YES" \
                destinationEntity="Person"\(inverse("host"))/></entity>
                <entity name="Team" parentEntity="Group"/><entity name="Club" parentEntity="Group"/>
                """
            guard hasInverse else { return groups + "<entity name=\"Person\">\(code)</entity>" }
            return groups + """
                <entity name="Person">\(code)
                <relationship name="group" optional="YES" maxCount="1" destinationEntity="Group" inverseName="members" \
                inverseEntity="Group"/>
                <relationship name="host" optional="YES" maxCount="1" destinationEntity="Group" inverseName="guests" \
                inverseEntity="Group"/></entity>
                """
        }

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isOrdered = Bool.random(using: &random)
            hasInverse = Bool.random(using: &random)
            adds = Bool.random(using: &random)
            var sources: [(name: String, entity: Int?)] = [("person", nil), ("team", 0), ("club", 1), ("more", 0)]
            sources.shuffle(using: &random)
            mapping = "import: 1\nsources:\n"
            for (name, entity) in sources {
                mapping += "  - files: \(name)*.json\n    entity: \(entity.map { Self.owners[$0] } ?? "Person")\n"
                mapping += "    key: code\n    attributes: [code]\n"
                if entity != nil {
                    mapping += "    relationships:\n"
                    for list in Record.names {
                        mapping += "      \(list): {by: code, from: '\(list)[*]', add: \(adds)}\n"
                    }
                }
                for part in 0..<number(below: 2) + 1 {
                    let file = "\(name)\(part).json"
                    var text = ""
                    for _ in 0..<number(below: 8) {
                        var record = Record(
                            file: file, entity: entity ?? -1, code: number(below: entity == nil ? 9 : 3))
                        if entity != nil {
                            record.lists = Record.names.map { _ in
                                number(below: 4) == 0 ? nil : (0..<number(below: 4)).map { _ in number(below: 9) }
                            }
                        }
                        records.append(record)
                        text += record.line
                    }
                    files.append((file, text))
                }
            }
        }

        /// By list, the code of a person with that of its owner, the owner's entity and the place in the list.
        var links: [[String]] {
            let persons = Set(records.filter { $0.entity < 0 }.map(\.code))
            return Record.names.indices.map { list in
                var found: [Int: String] = [:]
                // The last record that names somebody counts.
                for (index, record) in records.enumerated() where record.entity >= 0 {
                    let isReplaced = records[(index + 1)...].contains {
                        $0.entity == record.entity && $0.code == record.code && $0.lists[list] != nil
                    }
                    guard adds || !isReplaced else { continue }
                    for person in (record.lists[list] ?? []).filter(persons.contains) {
                        found[person] = "\(person)|\(Self.owners[record.entity])\(record.code)"
                    }
                }
                return found.values.sorted()
            }
        }
    }

    private static func query(_ column: String) -> String {
        """
        SELECT p.ZCODE, CASE WHEN g.Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Team') THEN 'Team' \
        ELSE 'Club' END || g.ZCODE FROM ZPERSON p JOIN ZGROUP g ON g.Z_PK = p.\(column)
        """
    }

    @Test(arguments: [1, 2, 7, 1000])
    func listsOfOneEntityAreApart(size: Int) throws {
        try Scenario.forEachCase(40, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            let expected = scenario.links
            func report(_ writer: NewStoreWriter) throws -> (report: ImportReport, orders: [String]) {
                var options = random.options
                options.writer = writer
                let fixture = try ImportFixture(entities: scenario.entities)
                let report = try scenario.run(options, in: fixture, isJudged: random.isJudged)
                func column(_ pattern: String) throws -> String {
                    let names = try fixture.rows(
                        "SELECT name FROM pragma_table_info('ZPERSON') WHERE name GLOB '\(pattern)' ORDER BY 1")
                    return try #require(names.first, "\(pattern)")
                }
                let lists = scenario.hasInverse ? ["GROUP", "HOST"] : ["[0-9]MEMBERS", "[0-9]GUESTS"]
                for (list, links) in zip(lists, expected) {
                    let query = Self.query(try column("Z\(list)"))
                    try fixture.requireRows(query, links, "\(writer) \(random.context)")
                }
                guard scenario.isOrdered else { return (report, []) }
                let (owner, order) = (try column("Z\(lists[0])"), try column("Z_FOK_\(lists[0])"))
                let orders = try fixture.rows(
                    "SELECT \(owner), ZCODE FROM ZPERSON WHERE \(owner) NOT NULL ORDER BY \(owner), \(order)")
                return (report, orders)
            }
            let (found, other) = (try report(.auto), try report(.sqlite))
            #expect(found.orders == other.orders, "\(random.context)")
            return found.report
        }
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
