import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of records that are only for new objects, or only for objects that are there, and are
/// rejected or skipped without these: assembled and written by SQLite, both are what a plain model has that takes one record after the other.
@Suite struct AssembledPolicyTests {
    private static func entities(isUnique: Bool, needsName: Bool) -> String {
        let constraint =
            "<uniquenessConstraints><uniquenessConstraint><constraint value=\"mail\"/></uniquenessConstraint>"
            + "</uniquenessConstraints>"
        return """
            <entity name="Person"><attribute name="code" optional="YES" attributeType="Integer 32"/>
            <attribute name="name" \(needsName ? "" : "optional=\"YES\"") attributeType="Integer 32"/>
            <attribute name="mail" optional="YES" attributeType="Integer 32"/>
            <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
            inverseEntity="Person"/>
            <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
            inverseEntity="Person"/>\(isUnique ? constraint : "")</entity>
            <entity name="Employee" parentEntity="Person"/>
            """
    }

    private struct Source {
        let entity: String
        let match: String
        let missing: String
        let boss: String

        func text(_ index: Int) -> String {
            """
              - files: part\(index)-*.json
                entity: \(entity)
                key: code
                onMatch: \(match)
                onMissing: \(missing)
                attributes: [code, name, mail]
                relationships: {boss: {by: code, entity: Person, from: boss, onMissing: \(boss)}}

            """
        }
    }

    private struct Record: NumberRecord {
        let source: Int
        let place: String
        var fields: [(name: String, value: Int?)] = []
    }

    private struct Scenario: RandomImport {
        let isUnique: Bool
        /// Whether a new object needs a name.
        let needsName: Bool
        var sources: [Source] = []
        var records: [Record] = []
        var files: [(name: String, text: String)] = []
        var entities: String { AssembledPolicyTests.entities(isUnique: isUnique, needsName: needsName) }
        var mapping: String {
            "import: 1\nsources:\n" + sources.enumerated().map { $0.element.text($0.offset) }.joined()
        }

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isUnique = number(below: 3) == 0
            needsName = number(below: 2) == 0
            let keys = [3, 8, 20].randomElement(using: &random) ?? 3
            for _ in 0..<number(below: 3) + 1 {
                let match = pick(["error", "error", "update"])
                let missing = pick(["error", "create", match == "update" ? "skip" : "create", "skip"])
                sources.append(
                    Source(
                        entity: pick(["Person", "Employee"]), match: match, missing: missing,
                        boss: missing == "skip" ? "skip" : pick(["skip", "skip", "error"])))
            }
            for (index, _) in sources.enumerated() {
                for part in 0..<number(below: 2) + 1 {
                    let file = "part\(index)-\(part).json"
                    var text = ""
                    for line in 0..<number(below: 12) {
                        var record = Record(source: index, place: "\(file):\(line + 1)")
                        record.fields.append(("code", number(below: 15) == 0 ? nil : number(below: keys)))
                        if number(below: 3) > 0 { record.fields.append(("name", number(below: 3))) }
                        if number(below: 3) > 0 { record.fields.append(("mail", number(below: isUnique ? 12 : 3))) }
                        if number(below: 3) == 0 {
                            record.fields.append(("boss", number(below: 6) == 0 ? nil : number(below: keys + 1)))
                        }
                        records.append(record)
                        text += record.line
                    }
                    files.append((file, text))
                }
            }
        }
    }

    /// What the records come to, read one after the other, without those that cannot be.
    private struct Plain {
        private struct Object {
            let entity: String
            let code: Int?
            var name: Int?
            var mail: Int?
            var boss: Int?
        }

        private var objects: [Object] = []
        private(set) var rejected: Set<String> = []
        private(set) var skipped: Int64 = 0

        init(_ scenario: Scenario) {
            var isRejected = [Bool](repeating: false, count: scenario.records.count)
            while true {
                let (late, mismatches) = read(scenario, &isRejected)
                // Who has an object in the end is known when all that may fall have fallen.
                let next = late.isEmpty ? mismatches : late
                if next.isEmpty { break }
                for index in next { isRejected[index] = true }
            }
            for (index, record) in scenario.records.enumerated() where isRejected[index] {
                rejected.insert(record.place)
            }
        }

        private func find(_ entity: String, _ code: Int?) -> Int? {
            guard let code else { return nil }
            return objects.firstIndex { $0.code == code && (entity == "Person" || $0.entity == entity) }
        }

        /// - Returns: the records that lack what they need, and those whose objects are not theirs to make.
        private mutating func read(
            _ scenario: Scenario, _ isRejected: inout [Bool]
        ) -> (late: [Int], mismatches: [Int]) {
            (objects, skipped) = ([], 0)
            var mismatches: [Int] = []
            for (index, record) in scenario.records.enumerated() where !isRejected[index] {
                let source = scenario.sources[record.source]
                let code = record["code"] ?? nil
                let known = find(source.entity, code)
                if known != nil, source.match == "error" {
                    mismatches.append(index)
                    continue
                }
                if known == nil, source.missing == "skip" {
                    skipped += 1
                    continue
                }
                if known == nil, source.missing == "error" || scenario.needsName && record["name"] == nil {
                    isRejected[index] = true
                    continue
                }
                var object = known.map { objects[$0] } ?? Object(entity: source.entity, code: code)
                if let name = record["name"] { object.name = name }
                if let mail = record["mail"] { object.mail = mail }
                if let boss = record["boss"] { object.boss = boss }
                if scenario.isUnique, let mail = object.mail,
                    objects.indices.contains(where: { $0 != known && objects[$0].mail == mail })
                {
                    isRejected[index] = true
                } else if let known {
                    objects[known] = object
                } else {
                    objects.append(object)
                }
            }
            let late = scenario.records.indices.filter { index in
                guard !isRejected[index], !mismatches.contains(index),
                    scenario.sources[scenario.records[index].source].boss == "error",
                    let boss = scenario.records[index]["boss"], let boss
                else { return false }
                return find("Person", boss) == nil
            }
            return (late, mismatches)
        }

        var rows: [String] {
            func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "NULL" }
            return objects.map { object in
                let boss = find("Person", object.boss).map { objects[$0] }
                return "\(object.entity)|\(text(object.code))|\(text(object.name))|\(text(object.mail))|"
                    + "\(boss?.entity ?? "NULL")|\(text(boss?.code))"
            }.sorted()
        }

        func count(_ entity: String) -> Int64 { Int64(objects.count { $0.entity == entity }) }
    }

    private static let query = """
        SELECT k.Z_NAME, p.ZCODE, p.ZNAME, p.ZMAIL, l.Z_NAME, b.ZCODE FROM ZPERSON p \
        JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS \
        LEFT JOIN Z_PRIMARYKEY l ON l.Z_ENT = p.Z1_BOSS
        """

    @Test(arguments: [1, 2, 3, 7, 1000])
    func recordsFindTheirObjectsOrMakeThem(size: Int) throws {
        var rejections = 0
        try Scenario.forEachCase(40, size: size, assembledTenths: 9) { random in
            let scenario = random.scenario
            random.options.fixedLimits.assembly.constraintPages = 1
            let plain = Plain(scenario)
            let context = random.context
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(writer) \(context)")
                try fixture.requireRows(Self.query, plain.rows, "\(writer) \(context)")
                for entity in report.entities {
                    #expect(entity.inserted == plain.count(entity.entity), "\(writer) \(entity.entity) \(context)")
                }
                #expect(report.entities.map(\.skipped).reduce(0, +) == plain.skipped, "\(writer) \(context)")
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            #expect(
                found.entities.map(\.related).reduce(0, +) == expected.entities.map(\.related).reduce(0, +),
                "\(context)")
            #expect(found.unresolvedLinks == expected.unresolvedLinks, "\(context)")
            if found.isAssembled { rejections += plain.rejected.count }
            return found
        }
        #expect(TestSettings.isFast || rejections > RandomNumbers.seeds(40).count / 2)
    }

    /// Records that make two objects each, both of which must be new: those stay that find none of an earlier record that
    /// stays.
    @Test(arguments: [1, 2, 3, 7, 1000], [NewStoreWriter.builder, .sqlite])
    func recordsOfSeveralNewObjectsMakeBothOrNone(size: Int, writer: NewStoreWriter) throws {
        let entities = ["Order", "Ticket"].map {
            "<entity name='\($0)'><attribute name='code' optional='YES' attributeType='Integer 32'/></entity>"
        }
        let mapping = """
            sources:
              - files: records.json
                objects:
                  - {entity: Order, key: code, onMatch: error, attributes: {code: order}}
                  - {entity: Ticket, key: code, onMatch: error, attributes: {code: ticket}}

            """
        for seed in RandomNumbers.seeds(20) {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let records = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                (order: Int.random(in: 0..<9, using: &random), ticket: Int.random(in: 0..<9, using: &random))
            }
            var (orders, tickets) = (Set<Int>(), Set<Int>())
            for (order, ticket) in records where !orders.contains(order) && !tickets.contains(ticket) {
                orders.insert(order)
                tickets.insert(ticket)
            }
            var options = ImportOptions(assembling: size, &random)
            options.writer = writer
            let text = records.map { "{\"order\": \($0.order), \"ticket\": \($0.ticket)}\n" }.joined()
            let fixture = try ImportFixture(entities: entities.joined())
            let report = try fixture.run(text, as: "records.json", mapping: mapping, options: options)
            let context = "seed \(seed)\n\(text)\n\(options)"
            #expect(report.rejected == Int64(records.count - orders.count), "\(context)")
            #expect(report.entities.map(\.inserted).reduce(0, +) == Int64(orders.count * 2), "\(context)")
            try fixture.requireRows("SELECT ZCODE FROM ZORDER", orders.map { "\($0)" }.sorted(), context)
            try fixture.requireRows("SELECT ZCODE FROM ZTICKET", tickets.map { "\($0)" }.sorted(), context)
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
