import Foundation
import ImportTestSupport
import PersistentStores
import SQLiteAccess
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports of objects of several entities into one table of a new store, once assembled and once written by
/// SQLite: both stores are the same.
@Suite struct AssembledEntityTests {
    private static func entities(_ scenario: Scenario) -> String {
        entities(isOrdered: scenario.isOrdered, isBadgeOptional: scenario.isBadgeOptional)
    }

    private static func entities(isOrdered: Bool, isBadgeOptional: Bool = true) -> String {
        """
        <entity name="Person" isAbstract="YES"><attribute name="number" optional="YES" attributeType="Integer 32"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" \
        inverseEntity="Team"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
        inverseEntity="Person"/>
        <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
        inverseEntity="Person"/>
        <relationship name="led" optional="YES" toMany="YES" destinationEntity="Team" inverseName="lead" \
        inverseEntity="Team"/>
        <relationship name="clubs" optional="YES" toMany="YES" destinationEntity="Team" inverseName="members" \
        inverseEntity="Team"/></entity>
        <entity name="Employee" parentEntity="Person"><attribute name="grade" optional="YES" attributeType="Integer 16"/>
        <relationship name="desks" optional="YES" toMany="YES" destinationEntity="Team" inverseName="keeper" \
        inverseEntity="Team"/></entity>
        <entity name="Manager" parentEntity="Employee"/>
        <entity name="Guest" parentEntity="Person"><attribute name="badge" \
        optional="\(isBadgeOptional ? "YES" : "NO")" attributeType="String"/>
        </entity>
        <entity name="Team"><attribute name="code" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" ordered="\(isOrdered ? "YES" : "NO")" \
        destinationEntity="Person" inverseName="team" inverseEntity="Person"/>
        <relationship name="lead" optional="YES" maxCount="1" destinationEntity="Person" inverseName="led" \
        inverseEntity="Person"/>
        <relationship name="keeper" optional="YES" maxCount="1" destinationEntity="Employee" inverseName="desks" \
        inverseEntity="Employee"/>
        <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="clubs" \
        inverseEntity="Person"/></entity>
        """
    }

    private struct Scenario: RandomImport {
        let isOrdered: Bool
        /// A guest may turn out to be rejected whose record does not mention the badge, if no other does.
        let isBadgeOptional: Bool
        var mapping = ""
        /// In the order of the sources.
        var files: [(name: String, text: String)] = []
        var entities: String { AssembledEntityTests.entities(self) }

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> String { "\(Int.random(in: 0..<limit, using: &random))" }
            isOrdered = Bool.random(using: &random)
            isBadgeOptional = Int.random(in: 0..<3, using: &random) > 0
            let hasKey = Int.random(in: 0..<4, using: &random) > 0
            let isRejecting = !isBadgeOptional || Bool.random(using: &random)
            // Lists of a relationship that several entities share, or those of its other side.
            let hasClubs = Bool.random(using: &random)
            let keys = [3, 8, 40].randomElement(using: &random) ?? 3
            // Of records that are rejected when all are read, and skip or fill, SQLite loses the places of those behind them.
            let made = pick(["Employee", "Manager", "Guest"])
            func person(_ entity: String, _ more: String) -> String {
                let boss =
                    isRejecting
                    ? pick(["skip", "error"]) : hasKey ? pick(["skip", "create, entity: \(made)"]) : "skip"
                let rule = isRejecting ? "update" : pick(["update", "fill", "skip"])
                let team = isRejecting ? "skip" : pick(["skip", "create"])
                return """
                      - files: \(entity)*.json
                        entity: \(entity)
                        \(hasKey ? "key: number" : "# no key")
                        onMatch: \(rule)
                        attributes: [number, name\(more)]
                        relationships:
                          team: {by: code, from: team, onMissing: \(team)}
                          \(hasClubs ? "clubs: {by: code, from: 'clubs[*]', onMissing: skip}" : "# no clubs")
                          boss: {by: number, from: boss, onMissing: \(boss)}

                    """
            }
            let members = hasClubs ? "# no members" : "members: {by: number, from: 'members[*]', onMissing: skip}"
            let team = """
                  - files: Team*.json
                    entity: Team
                    key: code
                    attributes: [code]
                    relationships:
                      lead: {by: number, from: lead, onMissing: \(isRejecting ? pick(["skip", "error"]) : "skip")}
                      keeper: {by: number, from: keeper, onMissing: skip}
                      \(members)

                """
            var sources = [
                ("Employee", person("Employee", ", grade")), ("Guest", person("Guest", ", badge")), ("Team", team),
            ]
            if Bool.random(using: &random) { sources.append(("Manager", person("Manager", ""))) }
            if Int.random(in: 0..<4, using: &random) == 0 { sources.removeAll { $0.0 == "Guest" } }
            sources.shuffle(using: &random)
            mapping = "import: 1\nsources:\n" + sources.map(\.1).joined()
            for (entity, _) in sources {
                for part in 0..<Int.random(in: 1...2, using: &random) {
                    var text = ""
                    for _ in 0..<Int.random(in: 0..<16, using: &random) {
                        var fields: [String] = []
                        if entity == "Team" {
                            fields = [
                                "\"code\": \"t\(number(below: 4))\"",
                                pick(["", "\"lead\": null", "\"lead\": \(number(below: keys))"]),
                                pick(["", "\"keeper\": \(number(below: keys))"]),
                                pick(["", "\"members\": [\(number(below: keys)), \(number(below: keys))]"]),
                            ]
                        } else {
                            fields = [
                                "\"number\": \(number(below: keys))", "\"name\": \"n\(number(below: 3))\"",
                                pick(["", "\"grade\": \(number(below: 2)), \"badge\": \"b\(number(below: 2))\""]),
                                pick(["", "\"team\": null", "\"team\": \"t\(number(below: 5))\""]),
                                pick(["", "\"boss\": null", "\"boss\": \(number(below: keys))"]),
                                pick(["", "\"clubs\": [\"t\(number(below: 5))\", \"t\(number(below: 5))\"]"]),
                            ]
                        }
                        text += "{" + fields.filter { !$0.isEmpty }.joined(separator: ", ") + "}\n"
                    }
                    files.append(("\(entity)\(part).json", text))
                }
            }
        }
    }

    private static func queries(_ scenario: Scenario) -> [String] {
        let place = scenario.isOrdered ? "p.Z_FOK_TEAM" : "0"
        return [
            """
            SELECT p.Z_ENT, p.ZNUMBER, p.ZNAME, p.ZGRADE, p.ZBADGE, t.ZCODE, b.Z_ENT, b.ZNUMBER, b.ZNAME, \(place), \
            p.ZTEAM IS NULL, p.ZBOSS IS NULL, p.Z1_BOSS IS b.Z_ENT FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM \
            LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
            """,
            """
            SELECT t.ZCODE, l.Z_ENT, l.ZNUMBER, l.ZNAME, k.Z_ENT, k.ZNUMBER, k.ZNAME, t.Z1_LEAD IS l.Z_ENT, t.Z2_KEEPER IS k.Z_ENT, \
            t.ZLEAD IS NULL FROM ZTEAM t LEFT JOIN ZPERSON l ON l.Z_PK = t.ZLEAD \
            LEFT JOIN ZPERSON k ON k.Z_PK = t.ZKEEPER ORDER BY 1, 2, 3, 4, 5, 6, 7
            """,
            """
            SELECT t.ZCODE, p.Z_ENT, p.ZNUMBER, p.ZNAME FROM Z_1CLUBS j JOIN ZPERSON p ON p.Z_PK = j.Z_1MEMBERS \
            JOIN ZTEAM t ON t.Z_PK = j.Z_5CLUBS ORDER BY 1, 2, 3, 4
            """,
        ]
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func objectsOfSeveralEntitiesAreThoseThatSQLiteWrites(size: Int) throws {
        var objects = 0
        try Scenario.forEachCase(40, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            // Links in lists of an entity and of its subentity are counted with the records that name them, or with
            // their objects.
            let isNested = ["Employee", "Manager"].allSatisfy { scenario.mapping.contains("entity: \($0)\n") }
            func store(
                _ writer: NewStoreWriter
            ) throws -> (rows: [[String]], related: [Int64], report: ImportReport) {
                let fixture = try ImportFixture(entities: scenario.entities)
                random.options.writer = writer
                let report = try scenario.run(random.options, in: fixture, isJudged: random.isJudged)
                var related = report.entities.map(\.related)
                if isNested { related = [related.reduce(0, +), related.min() ?? 0 < 0 ? -1 : 0] }
                return (try Self.queries(scenario).map { try fixture.rows($0) }, related, report)
            }
            let (found, expected) = (try store(.auto), try store(.sqlite))
            let context = "\(random.context)\n\(found.report.lookupReasons ?? [])"
            try #require(found.rows == expected.rows, "\(context)")
            #expect(found.report.entities.map(\.inserted) == expected.report.entities.map(\.inserted), "\(context)")
            #expect(found.report.entities.map(\.skipped) == expected.report.entities.map(\.skipped), "\(context)")
            #expect(found.related == expected.related, "\(context)")
            #expect(found.report.rejected == expected.report.rejected, "\(context)")
            #expect(found.report.unresolvedLinks == expected.report.unresolvedLinks, "\(context)")
            if found.report.isAssembled { objects += found.rows[0].count }
            return found.report
        }
        #expect(TestSettings.isFast || objects > RandomNumbers.seeds(40).count * 5)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }

    /// A source of an entity finds the objects of its subentities, too.
    @Test func objectsOfAnEntityAndOfItsSubentityAreAssembled() throws {
        let fixture = try ImportFixture(entities: Self.entities(isOrdered: false))
        let mapping = """
            sources:
              - {files: 'managers.csv', entity: Manager, key: number, attributes: [number, name]}
              - {files: 'employees.csv', entity: Employee, key: number, attributes: [number, name]}
            """
        let files = [
            try fixture.write("number,name\n1,a\n2,b\n", as: "managers.csv"),
            try fixture.write("number,name\n2,c\n3,d\n", as: "employees.csv"),
        ]
        let report = try fixture.run(files, .mapping(try ImportMapping(yaml: "import: 1\n" + mapping)))
        #expect(report.isAssembled)
        #expect(
            try fixture.rows(
                "SELECT ZNUMBER, ZNAME, Z_NAME FROM ZPERSON p JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT ORDER BY 1")
                == ["1|a|Manager", "2|c|Manager", "3|d|Employee"])
    }

    @Test(arguments: [3, 1025])
    func aTableHasAnyNumberOfEntities(count: Int) throws {
        let names = (1..<count).map { "S\($0)" }
        let fixture = try ImportFixture(
            entities: "<entity name='P'><attribute name='number' optional='YES' attributeType='Integer 32'/></entity>"
                + names.map { "<entity name='\($0)' parentEntity='P'/>" }.joined())
        let used = ["P", names[0], names[count - 2]]
        let mapping =
            "import: 1\nsources:\n"
            + used.map { "- {files: '\($0).csv', entity: \($0), key: number, attributes: [number]}\n" }.joined()
        let files = try used.map { try fixture.write("number\n1\n2\n\($0 == "P" ? 3 : 4)\n", as: "\($0).csv") }
        let report = try fixture.run(files, .mapping(try ImportMapping(yaml: mapping)))
        #expect(report.isAssembled)
        // A subentity's records find no objects of the parent, and the parent's records those that come before.
        let found = try fixture.rows(
            "SELECT ZNUMBER, Z_NAME FROM ZP p JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT ORDER BY 1, p.Z_PK")
        #expect(
            found == [
                "1|P", "1|\(used[1])", "1|\(used[2])", "2|P", "2|\(used[1])", "2|\(used[2])", "3|P", "4|\(used[1])",
                "4|\(used[2])",
            ])
    }
}
