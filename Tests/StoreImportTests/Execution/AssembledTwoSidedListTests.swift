import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store of a many-to-many relationship of which both sides have lists, of objects by key or in
/// place: assembled and written by SQLite, both are what a plain model has, whatever the batches are.
@Suite struct AssembledTwoSidedListTests {
    private struct Record {
        /// 0 for a club, 1 for a person.
        let side: Int
        let place: String
        let code: Int
        let isInPlace: Bool
        /// The codes of those in its list; nil where it does not mention it.
        let list: [Int]?

        var line: String {
            guard let list else { return "{\"code\": \(code)}\n" }
            let texts = list.map { isInPlace ? "{\"code\": \($0)}" : "\($0)" }
            return "{\"code\": \(code), \"list\": [\(texts.joined(separator: ", "))]}\n"
        }
    }

    private struct Scenario: RandomImport {
        static let names = [(entity: "Club", list: "people"), (entity: "Person", list: "clubs")]
        /// Whether the relationship leads from people to people.
        let isOfOneEntity: Bool
        /// By side.
        let adds: [Bool]
        let areSkipped: [Bool]
        let missing: [String]
        var mapping = "import: 1\nsources:\n"
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        var entities: String {
            let code = "<attribute name=\"code\" optional=\"YES\" attributeType=\"Integer 32\"/>"
            func list(_ side: Int) -> String {
                let (own, other) = (Self.names[side], Self.names[1 - side])
                return """
                    <relationship name="\(own.list)" optional="YES" toMany="YES" \
                    destinationEntity="\(entity(1 - side))" inverseName="\(other.list)" \
                    inverseEntity="\(entity(1 - side))"/>
                    """
            }
            guard !isOfOneEntity else { return "<entity name=\"Person\">\(code)\(list(0))\(list(1))</entity>" }
            return "<entity name=\"Club\">\(code)\(list(0))</entity><entity name=\"Person\">\(code)\(list(1))</entity>"
        }

        func entity(_ side: Int) -> String { isOfOneEntity ? "Person" : Self.names[side].entity }

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isOfOneEntity = number(below: 4) == 0
            adds = [number(below: 3) == 0, number(below: 3) == 0]
            // The objects of one entity have one policy.
            let areClubsSkipped = number(below: 4) == 0
            areSkipped = [areClubsSkipped, isOfOneEntity ? areClubsSkipped : number(below: 4) == 0]
            missing = areSkipped.map { isSkipped in
                // Records that are skipped make nothing.
                ["skip", "skip", "error", isSkipped ? "skip" : "create"].randomElement(using: &random) ?? "skip"
            }
            var sources = [("club", 0), ("person", 1), ("more", number(below: 2))]
            if Bool.random(using: &random) { sources.removeLast() }
            sources.shuffle(using: &random)
            for (name, side) in sources {
                let isInPlace = number(below: 3) == 0
                let policy = "onMatch: \(areSkipped[side] ? "skip" : "update")"
                let list = Self.names[side].list
                mapping += "  - files: \(name)*.json\n"
                if isInPlace {
                    mapping += """
                            objects:
                              - {entity: \(entity(side)), key: code, \(policy), attributes: [code],
                                 relationships: {\(list): {object: other, add: \(adds[side])}}}
                              - {id: other, entity: \(entity(1 - side)), each: 'list[*]', key: code,
                                 onMatch: \(areSkipped[1 - side] ? "skip" : "update"), attributes: [code]}

                        """
                } else {
                    mapping += """
                            entity: \(entity(side))
                            key: code
                            \(policy)
                            attributes: [code]
                            relationships:
                              \(list): {by: code, from: 'list[*]', add: \(adds[side]), onMissing: \(missing[side])}

                        """
                }
                for part in 0..<number(below: 2) + 1 {
                    let file = "\(name)\(part).json"
                    var text = ""
                    for line in 0..<number(below: 9) {
                        var others = Array(0..<6)
                        let code = number(below: side == 0 ? 3 : 6)
                        // No object is twice in a record.
                        if isOfOneEntity { others.removeAll { $0 == code } }
                        others.shuffle(using: &random)
                        let record = Record(
                            side: side, place: "\(file):\(line + 1)", code: code, isInPlace: isInPlace,
                            list: number(below: 6) == 0
                                ? nil
                                : others.filter { side == 0 || isOfOneEntity || $0 < 4 }.prefix(number(below: 4)).map(
                                    \.self))
                        records.append(record)
                        text += record.line
                    }
                    files.append((file, text))
                }
            }
        }
    }

    /// What the records come to without those that cannot be.
    private struct Plain {
        /// By side, the codes of all objects.
        private(set) var objects: [Set<Int>] = [[], []]
        private(set) var links: Set<[Int]> = []
        private(set) var rejected: Set<String> = []

        init(_ scenario: Scenario) {
            var isRejected = scenario.records.map { _ in false }
            func kind(_ side: Int) -> Int { scenario.isOfOneEntity ? 0 : side }
            while true {
                let counting = scenario.records.indices.filter { !isRejected[$0] }.map { scenario.records[$0] }
                objects = [[], []]
                for record in counting {
                    objects[kind(record.side)].insert(record.code)
                    if record.isInPlace { objects[kind(1 - record.side)].formUnion(record.list ?? []) }
                }
                let rows = objects
                for record in counting where scenario.missing[record.side] == "create" && !record.isInPlace {
                    objects[kind(1 - record.side)].formUnion(record.list ?? [])
                }
                let late = scenario.records.indices.filter { index in
                    let record = scenario.records[index]
                    guard !isRejected[index], !record.isInPlace, scenario.missing[record.side] == "error" else {
                        return false
                    }
                    return !Set(record.list ?? []).isSubset(of: objects[kind(1 - record.side)])
                }
                if late.isEmpty {
                    read(counting, scenario, rows)
                    break
                }
                for index in late { isRejected[index] = true }
            }
            for (index, record) in scenario.records.enumerated() where isRejected[index] {
                rejected.insert(record.place)
            }
        }

        private mutating func read(_ records: [Record], _ scenario: Scenario, _ rows: [Set<Int>]) {
            func kind(_ side: Int) -> Int { scenario.isOfOneEntity ? 0 : side }
            var known: [Set<Int>] = [[], []]
            // By side, what the lists that count name, and the objects of which a list has replaced another.
            var named: [[Int: Set<Int>]] = [[:], [:]]
            var replaced: [Set<Int>] = [[], []]
            for record in records {
                let (side, code) = (record.side, record.code)
                let isNew = known[kind(side)].insert(code).inserted
                if record.isInPlace { known[kind(1 - side)].formUnion(record.list ?? []) }
                guard let list = record.list, isNew || !scenario.areSkipped[side] else { continue }
                let found = Set(list).intersection(objects[kind(1 - side)])
                if isNew || scenario.adds[side] || scenario.areSkipped[side] {
                    named[side][code, default: []].formUnion(found)
                } else {
                    replaced[side].insert(code)
                    named[side][code] = found
                }
            }
            for side in [0, 1] {
                for (object, others) in named[side] {
                    for other in others {
                        let isKept = named[1 - side][other]?.contains(object) ?? false
                        guard isKept || !replaced[1 - side].contains(other) else { continue }
                        links.insert(side == 0 ? [object, other] : [other, object])
                    }
                }
            }
        }

        var rows: [String] { links.map { "\($0[0])|\($0[1])" }.sorted() }
    }

    private static func query(_ fixture: ImportFixture, _ scenario: Scenario) throws -> String {
        let table = try #require(
            try fixture.rows(
                "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*CLUBS' OR name GLOB 'Z_[0-9]*PEOPLE'"
            ).first)
        let columns = try fixture.rows("SELECT name FROM pragma_table_info('\(table)')")
        let club = try #require(columns.first { $0.hasSuffix("CLUBS") })
        let person = try #require(columns.first { $0.hasSuffix("PEOPLE") })
        return "SELECT c.ZCODE, p.ZCODE FROM \(table) JOIN Z\(scenario.entity(0).uppercased()) c ON c.Z_PK = \(club) "
            + "JOIN ZPERSON p ON p.Z_PK = \(person)"
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func bothSidesHaveLists(size: Int) throws {
        try Scenario.forEachCase(80, size: size, assembledTenths: 6) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let context = "\(writer) \(random.context)"
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                // What SQLite takes back has replaced other lists, and these end no more then.
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                try fixture.requireRows(Self.query(fixture, scenario), plain.rows, context)
                for side in [0, 1] where side == 1 || !scenario.isOfOneEntity {
                    try fixture.requireRows(
                        "SELECT ZCODE FROM Z\(scenario.entity(side).uppercased())",
                        plain.objects[scenario.isOfOneEntity ? 0 : side].map { "\($0)" }.sorted(), context)
                }
                if report.writer == .builder {
                    #expect(report.entities.map(\.related).reduce(0, +) == Int64(plain.links.count), "\(context)")
                }
                return report
            }
            let found = try report(.auto)
            let other = try report(.sqlite)
            let counts = [found, other].map { report in
                report.entities.map { "\($0.entity) \($0.inserted) \($0.skipped)" }.sorted() + [
                    "\(report.unresolvedLinks)"
                ]
            }
            #expect(counts[0] == counts[1], "\(random.context)")
            return found
        }
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
