import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Random imports into a new store of records that create objects of several entities of one table because they name them,
/// with their records or, in lists, after all of these. A record is rejected if it would create an object with a key that
/// must be unique and that an object of another entity has. Assembled and written by SQLite, both are what a plain model has.
@Suite struct AssembledMadeEntityTests {
    private static let lists = ["readers", "fans"]
    private static let parents = ["Employee": "Person", "Manager": "Employee", "Guest": "Person"]

    private struct Record {
        /// An entity of people, or that of posts.
        let entity: String
        let place: String
        let code: Int
        var name: Int?
        var author: Int?
        var editor: Int?
        /// By list, the codes in it.
        var lists: [[Int]] = [[], []]

        var line: String {
            var fields = ["\"code\": \(code)"]
            if let name { fields.append("\"name\": \(name)") }
            if let author { fields.append("\"author\": \(author)") }
            if let editor { fields.append("\"editor\": \(editor)") }
            if entity == "Post" { fields += zip(AssembledMadeEntityTests.lists, lists).map { "\"\($0)\": \($1)" } }
            return "{\(fields.joined(separator: ", "))}\n"
        }
    }

    private struct Scenario: RandomImport {
        /// The entities of authors, readers, fans and editors, and whether these are created.
        let named: [String]
        let creates: [Bool]
        let isSkipped: Bool
        /// Whether people of different entities have different codes.
        let isUnique: Bool
        var mapping = "import: 1\nsources:\n"
        var records: [Record] = []
        var files: [(name: String, text: String)] = []

        var entities: String {
            func relationship(_ name: String, _ entity: String, _ inverse: String, isToMany: Bool = true) -> String {
                "<relationship name=\"\(name)\" optional=\"YES\" \(isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") "
                    + "destinationEntity=\"\(entity)\" inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
            }
            let attributes = ["code", "name"].map {
                "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"Integer 32\"/>"
            }
            let constraint =
                "<uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/></uniquenessConstraint>"
                + "</uniquenessConstraints>"
            return
                "<entity name=\"Person\">\(isUnique ? constraint : "")\(attributes.joined())\(relationship("written", "Post", "author"))"
                + relationship("edited", "Post", "editor")
                + relationship("read", "Post", "readers") + relationship("liked", "Post", "fans") + "</entity>"
                + AssembledMadeEntityTests.parents.sorted(by: <).map {
                    "<entity name=\"\($0)\" parentEntity=\"\($1)\"/>"
                }.joined() + "<entity name=\"Post\">\(attributes[0])"
                + relationship("author", "Person", "written", isToMany: false)
                + relationship("editor", "Person", "edited", isToMany: false)
                + relationship("readers", "Person", "read") + relationship("fans", "Person", "liked") + "</entity>"
        }

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            func entity() -> String { ["Person", "Employee", "Manager", "Guest"][number(below: 4)] }
            named = (0..<4).map { _ in entity() }
            isUnique = number(below: 2) == 0
            let listsCreate = !isUnique
            creates = (0..<4).map { index in number(below: 4) > 0 && (index % 3 == 0 || listsCreate) }
            isSkipped = number(below: 3) == 0
            let keys = [3, 8, 20].randomElement(using: &random) ?? 3
            for part in 0..<number(below: 4) + 1 {
                let entity = number(below: 2) == 0 ? "Post" : entity()
                mapping += "  - files: part\(part).json\n    entity: \(entity)\n    attributes: [code"
                if entity == "Post" {
                    func target(_ index: Int, _ from: String) -> String {
                        "{by: code, entity: \(named[index]), from: '\(from)', "
                            + "onMissing: \(creates[index] ? "create" : "skip")}"
                    }
                    mapping += "]\n    relationships:\n      author: \(target(0, "author"))\n"
                    mapping += "      editor: \(target(3, "editor"))\n"
                    for (index, list) in AssembledMadeEntityTests.lists.enumerated() {
                        mapping += "      \(list): \(target(index + 1, "\(list)[*]"))\n"
                    }
                } else {
                    mapping += ", name]\n    key: code\n    onMatch: \(isSkipped ? "skip" : "update")\n"
                }
                var text = ""
                for line in 0..<number(below: 10) {
                    let isPost = entity == "Post"
                    var record = Record(
                        entity: entity, place: "part\(part).json:\(line + 1)",
                        code: isPost ? records.count : number(below: keys))
                    if isPost {
                        record.author = number(below: 3) == 0 ? nil : number(below: keys)
                        record.editor = number(below: 3) > 0 ? nil : number(below: keys)
                        record.lists = (0..<2).map { _ in (0..<number(below: 3)).map { _ in number(below: keys) } }
                    } else {
                        record.name = number(below: 9)
                    }
                    records.append(record)
                    text += record.line
                }
                files.append(("part\(part).json", text))
            }
        }
    }

    /// What the records come to, read one after the other.
    private struct Plain {
        private var people: [(entity: String, code: Int, name: Int?)] = []
        private(set) var unresolved: Int64 = 0
        private(set) var rejected: [String] = []
        /// The records of posts that are not rejected.
        private var written: [Record] = []
        private let scenario: Scenario

        init(_ scenario: Scenario) {
            self.scenario = scenario
            for record in scenario.records {
                guard record.entity == "Post" else {
                    if let known = find(record.code, record.entity) {
                        if !scenario.isSkipped { people[known].name = record.name }
                    } else if isTaken(record.code) {
                        rejected.append(record.place)
                    } else {
                        people.append((record.entity, record.code, record.name))
                    }
                    continue
                }
                let before = people
                let areMade = [(record.author, 0), (record.editor, 3)].allSatisfy { code, index in
                    guard let code, scenario.creates[index], find(code, scenario.named[index]) == nil else {
                        return true
                    }
                    if isTaken(code) { return false }
                    make(code, index)
                    return true
                }
                guard areMade else {
                    people = before
                    rejected.append(record.place)
                    continue
                }
                written.append(record)
            }
            for list in 0..<2 {
                for record in written { for code in record.lists[list] { make(code, list + 1) } }
            }
            for record in written {
                for (index, codes)
                    in ([record.author.map { [$0] } ?? []] + record.lists + [record.editor.map { [$0] } ?? []])
                    .enumerated()
                {
                    unresolved += Int64(codes.count { find($0, scenario.named[index]) == nil })
                }
            }
        }

        private func isTaken(_ code: Int) -> Bool { scenario.isUnique && people.contains { $0.code == code } }

        private mutating func make(_ code: Int, _ index: Int) {
            guard scenario.creates[index], find(code, scenario.named[index]) == nil else { return }
            people.append((scenario.named[index], code, nil))
        }

        private func isKind(_ entity: String, of other: String) -> Bool {
            entity == other || AssembledMadeEntityTests.parents[entity].map { isKind($0, of: other) } ?? false
        }

        private func find(_ code: Int, _ entity: String) -> Int? {
            people.firstIndex { $0.code == code && isKind($0.entity, of: entity) }
        }

        private func shown(_ index: Int) -> String {
            "\(people[index].entity)|\(people[index].code)|\(people[index].name.map { "\($0)" } ?? "NULL")"
        }

        var rows: [String] { people.indices.map(shown).sorted() }

        var posts: [String] {
            written.map { record in
                let author = record.author.flatMap { find($0, scenario.named[0]) }
                let editor = record.editor.flatMap { find($0, scenario.named[3]) }
                return (["\(record.code)"] + [author, editor].map { $0.map(shown) ?? "NULL|NULL|NULL" }).joined(
                    separator: "|")
            }.sorted()
        }

        func links(_ list: Int) -> [String] {
            Set(
                written.flatMap { record in
                    record.lists[list].compactMap { code in
                        find(code, scenario.named[list + 1]).map { "\(record.code)|\(shown($0))" }
                    }
                }
            ).sorted()
        }
    }

    private static func links(_ fixture: ImportFixture, _ list: String, _ inverse: String) throws -> String {
        let table = try #require(
            try fixture.rows(
                "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*\(list)' OR name GLOB 'Z_[0-9]*\(inverse)'"
            ).first)
        let columns = try fixture.rows("SELECT name FROM pragma_table_info('\(table)')")
        let person = try #require(columns.first { $0.hasSuffix(list) })
        let post = try #require(columns.first { $0.hasSuffix(inverse) })
        return "SELECT o.ZCODE, k.Z_NAME, p.ZCODE, p.ZNAME FROM \(table) j JOIN ZPOST o ON o.Z_PK = j.\(post) "
            + "JOIN ZPERSON p ON p.Z_PK = j.\(person) JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT"
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func objectsOfSeveralEntitiesAreCreated(size: Int) throws {
        var rejections = 0
        try Scenario.forEachCase(80, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            rejections += plain.rejected.count
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let context = "\(writer) \(random.context)"
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                try fixture.requireRows(
                    "SELECT k.Z_NAME, p.ZCODE, p.ZNAME FROM ZPERSON p JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT",
                    plain.rows, context)
                try fixture.requireRows(
                    "SELECT o.ZCODE, k.Z_NAME, p.ZCODE, p.ZNAME, l.Z_NAME, e.ZCODE, e.ZNAME FROM ZPOST o "
                        + "LEFT JOIN ZPERSON p ON p.Z_PK = o.ZAUTHOR LEFT JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT "
                        + "LEFT JOIN ZPERSON e ON e.Z_PK = o.ZEDITOR LEFT JOIN Z_PRIMARYKEY l ON l.Z_ENT = e.Z_ENT",
                    plain.posts, context)
                try fixture.requireRows(Self.links(fixture, "READERS", "READ"), plain.links(0), context)
                try fixture.requireRows(Self.links(fixture, "FANS", "LIKED"), plain.links(1), context)
                #expect(report.unresolvedLinks == plain.unresolved, "\(context)")
                return report
            }
            let found = try report(.auto)
            // SQLite creates what the records of a batch name by a relationship before what they name by the next one.
            random.options.limits.rows = 1
            let reports = [found, try report(.sqlite)]
            let counts = reports.map { report in
                report.entities.map { "\($0.entity) \($0.inserted) \($0.skipped) \($0.related)" }
            }
            #expect(counts[0] == counts[1], "\(random.context)")
            return reports[0]
        }
        #expect(TestSettings.isFast || rejections > 0)
    }

    @Test(arguments: [1, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
