import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store whose mappings find the objects of an entity and of its subentities by different keys, or
/// have none: assembled and written by SQLite, both are what a plain model has that takes one record after the other.
@Suite struct AssembledSeveralKeysTests {
    /// What a record is: an object of a mapping.
    private struct Object {
        let entity: String
        let key: [String]
        let match: String
        let missing: String
        /// What `boss` is looked for by, and as; nil if it is not mapped.
        let boss: Link?
        let friends: Link?
        /// What comes before the names of its fields.
        let prefix: String

        func text(_ indent: String) -> String {
            func field(_ name: String) -> String { "\(name): \(prefix)\(name)" }
            let links = [("boss", boss), ("friends", friends)].compactMap { name, link in
                link.map { "\(name): {\($0.text), from: '\(prefix)\(name)\(name == "boss" ? "" : "[*]")'}" }
            }
            var lines = ["entity: \(entity)"]
            if !key.isEmpty {
                lines += ["key: [\(key.joined(separator: ", "))]", "onMatch: \(match)", "onMissing: \(missing)"]
            }
            lines.append("attributes: {\(["code", "mail", "serial"].map(field).joined(separator: ", "))}")
            if !links.isEmpty { lines.append("relationships: {\(links.joined(separator: ", "))}") }
            return lines.joined(separator: "\n\(indent)") + "\n"
        }
    }

    private struct Link {
        let by: String
        let entity: String
        /// Whether an object is created if none has the value.
        var creates = false

        var text: String { "by: \(by), entity: \(entity), onMissing: \(creates ? "create" : "skip")" }
    }

    private struct Source {
        var objects: [Object] = []
        /// How a note finds its author; nil if the records are people.
        var author: Link?

        func text(_ index: Int) -> String {
            let files = "  - files: part\(index)-*.json\n"
            if let author {
                return files + "    entity: Note\n    attributes: [serial]\n"
                    + "    relationships: {author: {\(author.text), from: author}}\n"
            }
            if objects.count == 1 { return files + "    " + objects[0].text("    ") }
            return files + "    objects:\n"
                + objects.map { "      - " + $0.text("        ") }.joined()
        }
    }

    private struct Record {
        let source: Int
        let place: String
        let serial: Int
        /// By object, nil for null.
        var values: [[String: Int?]] = []
        /// By object, the value by which its boss is found; nil for none.
        var bosses: [Int??] = []
        var friends: [[Int]?] = []
        var author: Int?

        func line(_ source: Source) -> String {
            func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "null" }
            guard source.author == nil else { return "{\"serial\": \(serial), \"author\": \(text(author))}\n" }
            var fields: [String] = []
            for (index, object) in source.objects.enumerated() {
                fields.append("\"\(object.prefix)serial\": \(serial)")
                for (name, value) in values[index].sorted(by: { $0.key < $1.key }) {
                    fields.append("\"\(object.prefix)\(name)\": \(text(value))")
                }
                if let boss = bosses[index] { fields.append("\"\(object.prefix)boss\": \(text(boss))") }
                if let friends = friends[index] { fields.append("\"\(object.prefix)friends\": \(friends)") }
            }
            return "{\(fields.joined(separator: ", "))}\n"
        }
    }

    private struct Scenario: RandomImport {
        let hasDefault: Bool
        let needsMail: Bool
        var sources: [Source] = []
        var records: [Record] = []
        var files: [(name: String, text: String)] = []
        var mapping: String {
            "import: 1\nsources:\n" + sources.enumerated().map { $0.element.text($0.offset) }.joined()
        }
        var entities: String {
            let number = "attributeType=\"Integer 32\""
            func toMany(_ name: String, _ entity: String, _ inverse: String) -> String {
                "<relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"\(entity)\" "
                    + "inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\"/>"
            }
            return """
                <entity name="Person"><attribute name="code" optional="YES" \(number)\
                \(hasDefault ? " defaultValueString=\"1\"" : "")/>
                <attribute name="mail" \(needsMail ? "" : "optional=\"YES\"") \(number)/>
                <attribute name="serial" optional="YES" \(number)/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
                inverseEntity="Person"/>\(toMany("staff", "Person", "boss"))
                \(toMany("friends", "Person", "friendOf"))\(toMany("friendOf", "Person", "friends"))
                \(toMany("notes", "Note", "author"))</entity>
                <entity name="Employee" parentEntity="Person"/><entity name="Manager" parentEntity="Employee"/>
                <entity name="Guest" parentEntity="Person"/>
                <entity name="Note"><attribute name="serial" optional="YES" \(number)/>
                <relationship name="author" optional="YES" maxCount="1" destinationEntity="Person" inverseName="notes" \
                inverseEntity="Person"/></entity>

                """
        }

        init(_ random: inout RandomNumbers) { self.init(&random, scale: 1) }

        /// - Parameter scale: how many times the keys and the records of a small import there are.
        init(_ random: inout RandomNumbers, scale: Int) {
            func pick<Element>(_ values: [Element]) -> Element {
                values[Int.random(in: 0..<values.count, using: &random)]
            }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            hasDefault = number(below: 4) == 0
            needsMail = number(below: 5) == 0
            let most = pick([2, 4, 9]) * scale
            let kinds = pick([["Person"], ["Person", "Employee"], ["Person", "Employee", "Manager", "Guest"]])
            let keys = pick([
                [["code"], ["mail"]], [["code"], []], [["code"], ["mail"], [], ["code", "mail"], ["mail", "code"]],
            ])
            let isPlain = number(below: 3) > 0
            let creates = !needsMail && number(below: 2) == 0
            func link(mayCreate: Bool = false) -> Link {
                Link(
                    by: pick(["code", "mail", "mail"]), entity: pick(kinds),
                    creates: creates && mayCreate && number(below: 3) > 0)
            }
            func object(_ prefix: String, isAlone: Bool) -> Object {
                let (entity, key) = (pick(kinds), pick(keys))
                let match =
                    key.isEmpty ? "update" : pick(["update", "update", "fill", "skip"] + (isPlain ? [] : ["error"]))
                let missing =
                    key.isEmpty || !isAlone || isPlain ? "create" : pick(["create", "skip", "error"])
                return Object(
                    entity: entity, key: key, match: match, missing: missing,
                    boss: match != "fill" && number(below: 2) == 0
                        ? link(mayCreate: isPlain && isAlone) : nil,
                    friends: match != "fill" && number(below: 3) == 0 ? link() : nil, prefix: prefix)
            }
            for _ in 0..<number(below: 3) + 2 {
                var source = Source()
                if number(below: 5) == 0 {
                    source.objects = [object("a", isAlone: false), object("b", isAlone: false)]
                } else {
                    source.objects = [object("", isAlone: true)]
                }
                sources.append(source)
            }
            if number(below: 2) == 0 {
                sources.append(Source(author: link(mayCreate: true)))
                sources.shuffle(using: &random)
            }
            for (index, source) in sources.enumerated() {
                for part in 0..<number(below: 2) + 1 {
                    let file = "part\(index)-\(part).json"
                    var text = ""
                    for line in 0..<number(below: 10) * scale {
                        var record = Record(source: index, place: "\(file):\(line + 1)", serial: records.count)
                        if source.author != nil { record.author = number(below: 9) == 0 ? nil : number(below: most) }
                        for object in source.objects {
                            var values: [String: Int?] = [:]
                            for name in ["code", "mail"] where object.key.contains(name) || number(below: 3) > 0 {
                                values[name] = .some(number(below: 9) == 0 ? nil : number(below: most))
                            }
                            record.values.append(values)
                            record.bosses.append(
                                object.boss == nil || number(below: 3) == 0
                                    ? nil : .some(number(below: 8) == 0 ? nil : number(below: most)))
                            record.friends.append(
                                object.friends == nil || number(below: 3) == 0
                                    ? nil : (0..<number(below: 3)).map { _ in number(below: most) })
                        }
                        records.append(record)
                        text += record.line(source)
                    }
                    files.append((file, text))
                }
            }
        }
    }

    /// What the records come to, read one after the other.
    private struct Plain {
        private enum Destination {
            case object(Int)
            case waiting(Link, Int)
        }

        private struct Person {
            let entity: String
            var values: [String: Int] = [:]
            var boss: Destination?
            var friends: (link: Link, keys: [Int])?
        }

        private var all: [Person] = []
        private var found: [(serial: Int, author: Destination?)] = []
        private let scenario: Scenario
        private(set) var rejected: [String] = []
        /// How often a link creates an object.
        private(set) var creations = 0

        private static let parents = ["Employee": "Person", "Manager": "Employee", "Guest": "Person"]

        private static func isKind(_ entity: String, of other: String) -> Bool {
            entity == other || parents[entity].map { isKind($0, of: other) } ?? false
        }

        init(_ scenario: Scenario) {
            self.scenario = scenario
            for record in scenario.records {
                let source = scenario.sources[record.source]
                if let author = source.author {
                    found.append((record.serial, record.author.map { findOrMake($0, author) }))
                    continue
                }
                let before = all
                let isTaken = source.objects.indices.allSatisfy { take(record, $0, source.objects[$0]) }
                if isTaken { continue }
                all = before
                rejected.append(record.place)
            }
            rejected.sort()
        }

        private func first(_ values: [String: Int], as entity: String) -> Int? {
            all.firstIndex { person in
                Self.isKind(person.entity, of: entity) && values.allSatisfy { person.values[$0.key] == $0.value }
            }
        }

        private func destination(_ value: Int, _ link: Link) -> Destination {
            first([link.by: value], as: link.entity).map { .object($0) } ?? .waiting(link, value)
        }

        private mutating func findOrMake(_ value: Int, _ link: Link) -> Destination {
            let found = destination(value, link)
            guard link.creates, case .waiting = found else { return found }
            creations += 1
            all.append(new(link.entity))
            all[all.count - 1].values[link.by] = value
            return .object(all.count - 1)
        }

        private func new(_ entity: String) -> Person {
            Person(entity: entity, values: scenario.hasDefault ? ["code": 1] : [:])
        }

        private func object(_ destination: Destination?) -> Int? {
            switch destination {
            case .object(let index): index
            case .waiting(let link, let value): first([link.by: value], as: link.entity)
            case nil: nil
            }
        }

        /// False if the record is rejected.
        private mutating func take(_ record: Record, _ index: Int, _ object: Object) -> Bool {
            var values = record.values[index]
            if scenario.needsMail, case .some(nil) = values["mail"] { return false }
            // A null is the default.
            if scenario.hasDefault, case .some(nil) = values["code"] { values["code"] = .some(1) }
            values["serial"] = .some(record.serial)
            var boss: Destination??
            if let key = record.bosses[index], let link = object.boss {
                boss = .some(key.map { findOrMake($0, link) })
            }
            let friends = record.friends[index].flatMap { keys in object.friends.map { ($0, keys) } }
            var key: [String: Int] = [:]
            for name in object.key { key[name] = values[name] ?? nil }
            let known = object.key.isEmpty || key.count < object.key.count ? nil : first(key, as: object.entity)
            guard let known else {
                guard object.missing == "create" else { return object.missing == "skip" }
                var person = new(object.entity)
                for (name, value) in values { person.values[name] = value }
                if let boss { person.boss = boss }
                person.friends = friends
                all.append(person)
                return !scenario.needsMail || person.values["mail"] != nil
            }
            switch object.match {
            case "error": return false
            case "update":
                for (name, value) in values { all[known].values[name] = value }
                if let boss { all[known].boss = boss }
                if let friends { all[known].friends = friends }
            case "fill":
                for (name, value) in values where all[known].values[name] == nil { all[known].values[name] = value }
            default: break
            }
            return true
        }

        private func text(_ index: Int?) -> String {
            guard let index else { return "NULL|NULL|NULL" }
            return ["code", "mail", "serial"].map { all[index].values[$0].map { "\($0)" } ?? "NULL" }
                .joined(separator: "|")
        }

        var people: [String] {
            all.indices.map { "\(all[$0].entity)|\(text($0))|\(text(object(all[$0].boss)))" }.sorted()
        }

        var friends: [String] {
            all.indices.flatMap { index -> [String] in
                guard let (link, keys) = all[index].friends else { return [] }
                let found = Set(keys.compactMap { first([link.by: $0], as: link.entity) })
                return found.map { "\(text(index))|\(text($0))" }
            }.sorted()
        }

        var notes: [String] { found.map { "\($0.serial)|\(text(object($0.author)))" }.sorted() }
    }

    private static func friends(_ fixture: ImportFixture) throws -> String {
        let found = try fixture.rows(
            "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.name GLOB 'Z_[0-9]*'")
        let names = found.map { $0.split(separator: "|").map(String.init) }
        let owner = try #require(names.first { $0[1].hasSuffix("FRIENDOF") })
        let other = try #require(names.first { $0[1].hasSuffix("FRIENDS") && $0[0] == owner[0] })
        return "SELECT p.ZCODE, p.ZMAIL, p.ZSERIAL, f.ZCODE, f.ZMAIL, f.ZSERIAL FROM \(owner[0]) "
            + "JOIN ZPERSON p ON p.Z_PK = \(owner[1]) JOIN ZPERSON f ON f.Z_PK = \(other[1])"
    }

    private static func require(_ plain: Plain, in fixture: ImportFixture, _ context: String) throws {
        try fixture.requireRows(
            """
            SELECT k.Z_NAME, p.ZCODE, p.ZMAIL, p.ZSERIAL, b.ZCODE, b.ZMAIL, b.ZSERIAL FROM ZPERSON p \
            JOIN Z_PRIMARYKEY k ON k.Z_ENT = p.Z_ENT LEFT JOIN ZPERSON b ON b.Z_PK = p.ZBOSS
            """, plain.people, context)
        try fixture.requireRows(friends(fixture), plain.friends, context)
        try fixture.requireRows(
            """
            SELECT n.ZSERIAL, p.ZCODE, p.ZMAIL, p.ZSERIAL FROM ZNOTE n \
            LEFT JOIN ZPERSON p ON p.Z_PK = n.ZAUTHOR
            """, plain.notes, context)
    }

    /// Pages of values and of keys on disk have 512 numbers, and one page is in memory.
    @Test(arguments: [1, 7, 1000])
    func pagesOnDiskAreCrossed(size: Int) throws {
        var most = 0
        for seed in RandomNumbers.seeds(24) {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let scenario = Scenario(&random, scale: 25)
            let plain = Plain(scenario)
            var options = ImportOptions(assembling: size, &random)
            options.fixedLimits.assembly.constraintPages = 1
            let fixture = try ImportFixture(entities: scenario.entities)
            let (report, rejected) = try scenario.runNamingRejects(.auto, options, in: fixture, isJudged: false)
            guard report.writer == .builder else { continue }
            let context = "seed \(seed)\n\(scenario.mapping)"
            try #require(rejected.sorted() == plain.rejected, "\(context)")
            try Self.require(plain, in: fixture, context)
            most = max(most, plain.people.count)
        }
        // Each object has at least six numbers.
        #expect(TestSettings.isFast || most * 6 > 2 * 512)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func objectsAreFoundByTheKeyOfEachMapping(size: Int) throws {
        var (rejections, creations) = (0, 0)
        try Scenario.forEachCase(120, size: size, assembledTenths: 8) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            random.options.fixedLimits.assembly.constraintPages = 1
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged && writer == .auto)
                let context = "\(writer) \(report.writerReasons ?? []) \(random.context)"
                try #require(rejected.sorted() == plain.rejected, "\(context)")
                // SQLite looks for what the records of a batch name before it writes the batch.
                if report.writer == .sqlite, size > 1 {
                    try fixture.requireRows(
                        "SELECT ZCODE, ZMAIL, ZSERIAL FROM ZPERSON",
                        plain.people.map { $0.split(separator: "|")[1...3].joined(separator: "|") }.sorted(), context)
                    return report
                }
                try Self.require(plain, in: fixture, context)
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            if size == 1 {
                func counts(_ report: ImportReport) -> [String] {
                    report.entities.map {
                        "\($0.entity) \($0.inserted) \($0.updated) \($0.unchanged) \($0.skipped) \($0.rejected)"
                    }.filter { !$0.hasSuffix(" 0 0 0 0 0") }.sorted()
                        + ["\(report.entities.map(\.related).reduce(0, +))"]
                }
                #expect(counts(found) == counts(expected), "\(random.context)")
            }
            if found.writer == .builder {
                rejections += plain.rejected.count
                creations += plain.creations
            }
            return found
        }
        #expect(TestSettings.isFast || rejections > 0 && creations > 0)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
