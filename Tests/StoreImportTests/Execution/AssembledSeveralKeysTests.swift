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
        /// Whether a record has a list of them.
        var isPart = false

        func text(_ indent: String) -> String {
            func field(_ name: String) -> String { "\(name): \(self.name(of: name))" }
            let links = [("boss", boss), ("friends", friends)].compactMap { name, link in
                link.map { "\(name): {\($0.text), from: '\(self.name(of: name))\(name == "boss" ? "" : "[*]")'}" }
            }
            var lines = ["entity: \(entity)"]
            if isPart { lines.append("each: '\(prefix)[*]'") }
            if !key.isEmpty {
                lines += ["key: [\(key.joined(separator: ", "))]", "onMatch: \(match)", "onMissing: \(missing)"]
            }
            lines.append("attributes: {\(["code", "mail", "serial"].map(field).joined(separator: ", "))}")
            if !links.isEmpty { lines.append("relationships: {\(links.joined(separator: ", "))}") }
            return lines.joined(separator: "\n\(indent)") + "\n"
        }

        /// The name of a field in the records.
        func name(of field: String) -> String { isPart ? field : prefix + field }
    }

    private struct Link {
        let by: String
        let entity: String
        let missing: String

        /// Whether an object is created if none has the value.
        var creates: Bool { missing == "create" }

        var text: String { "by: \(by), entity: \(entity), onMissing: \(missing)" }
    }

    private struct Source {
        var objects: [Object] = []
        /// How a note finds its author; nil if the records are people.
        var author: Link?

        var links: [Link] { [author].compactMap { $0 } + objects.flatMap { [$0.boss, $0.friends].compactMap { $0 } } }

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

    /// What a record says of one object.
    private struct Instance {
        /// nil for null.
        var values: [String: Int?] = [:]
        /// The value by which the boss is found; nil for none.
        var boss: Int??
        var friends: [Int]?

        func fields(_ object: Object, serial: Int) -> String {
            func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "null" }
            var fields = ["\"\(object.name(of: "serial"))\": \(serial)"]
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                fields.append("\"\(object.name(of: name))\": \(text(value))")
            }
            if let boss { fields.append("\"\(object.name(of: "boss"))\": \(text(boss))") }
            if let friends { fields.append("\"\(object.name(of: "friends"))\": \(friends)") }
            return fields.joined(separator: ", ")
        }
    }

    private struct Record {
        let source: Int
        let place: String
        let serial: Int
        /// By object; of those that the record has a list of several.
        var instances: [[Instance]] = []
        var author: Int?

        func line(_ source: Source) -> String {
            if source.author != nil {
                return "{\"serial\": \(serial), \"author\": \(author.map { "\($0)" } ?? "null")}\n"
            }
            let fields = zip(source.objects, instances).map { object, instances in
                let parts = instances.map { $0.fields(object, serial: serial) }
                guard object.isPart else { return parts.joined() }
                return "\"\(object.prefix)\": [\(parts.map { "{\($0)}" }.joined(separator: ", "))]"
            }
            return "{\(fields.joined(separator: ", "))}\n"
        }
    }

    private struct Scenario: RandomImport {
        let hasDefault: Bool
        let needsMail: Bool
        /// The attributes that no two people have the same values of.
        let constraints: [[String]]
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
                \(toMany("notes", "Note", "author"))\(Self.uniqueness(constraints))</entity>
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
            constraints = pick([[], [], [["mail"]], [["code"]], [["code"], ["mail"]], [["code", "mail"]]])
            let most = pick([2, 4, 9]) * scale
            let kinds = pick([["Person"], ["Person", "Employee"], ["Person", "Employee", "Manager", "Guest"]])
            let keys = pick([
                [["code"], ["mail"]], [["code"], []], [["code"], ["mail"], [], ["code", "mail"], ["mail", "code"]],
            ])
            let isPlain = number(below: 3) > 0
            let creates = !needsMail && number(below: 2) == 0
            let requires = number(below: 3) == 0
            func link(isList: Bool = false) -> Link {
                Link(
                    by: pick(["code", "mail", "mail"]), entity: pick(kinds),
                    missing: pick(
                        creates
                            ? ["create", "create", "skip"] + (requires && !isList ? ["error"] : [])
                            : requires && !isList ? ["skip", "error"] : ["skip"]))
            }
            func object(_ prefix: String, isAlone: Bool, isPart: Bool = false) -> Object {
                let entity = pick(kinds)
                var key = pick(keys)
                // Without another key, the first constraint is the key.
                if key.isEmpty { key = constraints.first ?? [] }
                let match =
                    key.isEmpty ? "update" : pick(["update", "update", "fill", "skip"] + (isPlain ? [] : ["error"]))
                let missing =
                    key.isEmpty || isPlain
                    ? "create" : pick(["create", "create", "error"] + (isAlone ? ["skip"] : []))
                return Object(
                    entity: entity, key: key, match: match, missing: missing,
                    boss: number(below: 2) == 0 ? link() : nil,
                    friends: match != "fill" && number(below: 3) == 0 ? link(isList: true) : nil, prefix: prefix,
                    isPart: isPart)
            }
            for _ in 0..<number(below: 3) + 2 {
                var source = Source()
                if number(below: 3) == 0 {
                    source.objects = [
                        object("a", isAlone: false), object("b", isAlone: false, isPart: number(below: 2) == 0),
                    ]
                } else {
                    source.objects = [object("", isAlone: true)]
                }
                sources.append(source)
            }
            if number(below: 2) == 0 {
                sources.append(Source(author: link()))
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
                            let count = object.isPart ? number(below: 4) : 1
                            record.instances.append(
                                (0..<count).map { _ in
                                    var instance = Instance()
                                    for name in ["code", "mail"]
                                    where object.key.contains(name) || number(below: 3) > 0 {
                                        instance.values[name] = .some(number(below: 9) == 0 ? nil : number(below: most))
                                    }
                                    if object.boss != nil, number(below: 3) > 0 {
                                        instance.boss = .some(number(below: 8) == 0 ? nil : number(below: most))
                                    }
                                    if object.friends != nil, number(below: 3) > 0 {
                                        instance.friends = (0..<number(below: 3)).map { _ in number(below: most) }
                                    }
                                    return instance
                                })
                        }
                        records.append(record)
                        text += record.line(source)
                    }
                    files.append((file, text))
                }
            }
        }
    }

    /// What the records come to, read one after the other, without those that cannot be.
    private struct Plain {
        private enum Destination {
            case object(Int)
            case waiting(Link, Int)
        }

        private struct Person {
            let entity: String
            var values: [String: Int] = [:]
            /// Of several the first one that leads somewhere.
            var bosses: [Destination] = []
            var friends: (link: Link, keys: [Int])?
        }

        private enum Outcome {
            case taken, rejected
            /// There is an object that must not be, which may go with records that turn out to be rejected.
            case mismatch
        }

        private struct State {
            var all: [Person] = []
            var notes: [(serial: Int, author: Destination?)] = []
            /// What records name in lists, also if later records replace these.
            var named: [(record: Int, link: Link, keys: [Int])] = []
            /// What records need that was not there.
            var needed: [(record: Int, link: Link, key: Int)] = []
            /// How often a link creates an object.
            var creations = 0
        }

        private var state = State()
        private let scenario: Scenario
        /// Records that are rejected when they are read, and do not come again.
        private var refused: Set<Int> = []
        private(set) var rejected: [String] = []
        private(set) var hasLateRejections = false
        var creations: Int { state.creations }
        private var all: [Person] { state.all }

        private static let parents = ["Employee": "Person", "Manager": "Employee", "Guest": "Person"]

        private static func isKind(_ entity: String, of other: String) -> Bool {
            entity == other || parents[entity].map { isKind($0, of: other) } ?? false
        }

        init(_ scenario: Scenario) {
            self.scenario = scenario
            var late: Set<Int> = []
            while true {
                let (lacking, mismatches) = read(without: late)
                if !lacking.isEmpty { hasLateRejections = true }
                // Who has an object in the end is known when all that may fall have fallen.
                let next = lacking.isEmpty ? mismatches : lacking
                if next.isEmpty { break }
                late.formUnion(next)
            }
            rejected = late.union(refused).map { scenario.records[$0].place }.sorted()
        }

        /// Returns the records that lack what they need when all are read, and those whose objects are there and must
        /// not be.
        private mutating func read(without late: Set<Int>) -> (lacking: Set<Int>, mismatches: Set<Int>) {
            state = State()
            var mismatches: Set<Int> = []
            for (index, record) in scenario.records.enumerated() where !late.contains(index) && !refused.contains(index)
            {
                let before = state
                let outcome = take(record, at: index)
                if outcome == .taken { continue }
                state = before
                if outcome == .mismatch { mismatches.insert(index) } else { refused.insert(index) }
            }
            var lacking: Set<Int> = []
            for (record, link, keys) in state.named where link.creates {
                for key in keys where !lacking.contains(record) && first([link.by: key], as: link.entity) == nil {
                    let before = state
                    if !make(key, link) { (state, _) = (before, lacking.insert(record)) }
                }
            }
            if lacking.isEmpty {
                let needed = state.needed.filter { first([$0.link.by: $0.key], as: $0.link.entity) == nil }
                lacking = Set(needed.map(\.record))
            }
            return (lacking, mismatches)
        }

        private func first(_ values: [String: Int], as entity: String) -> Int? {
            all.firstIndex { person in
                Self.isKind(person.entity, of: entity) && values.allSatisfy { person.values[$0.key] == $0.value }
            }
        }

        /// Whether no two people have the same values of a constraint.
        private var isUnique: Bool {
            scenario.constraints.allSatisfy { attributes in
                let values = all.compactMap { person -> [Int]? in
                    let values = attributes.compactMap { person.values[$0] }
                    return values.count == attributes.count ? values : nil
                }
                return Set(values).count == values.count
            }
        }

        /// False if the object has a value of another one.
        private mutating func make(_ value: Int, _ link: Link) -> Bool {
            state.creations += 1
            var person = new(link.entity)
            person.values[link.by] = value
            state.all.append(person)
            return isUnique
        }

        /// nil if the record is rejected.
        private mutating func findOrMake(_ value: Int, _ link: Link, at index: Int) -> Destination? {
            if let found = first([link.by: value], as: link.entity) { return .object(found) }
            switch link.missing {
            case "create": return make(value, link) ? .object(all.count - 1) : nil
            case "error":
                state.needed.append((index, link, value))
                // No file that follows has such objects.
                let last = scenario.sources.lastIndex { source in
                    source.objects.contains { Self.isKind($0.entity, of: link.entity) }
                        || source.links.contains { $0.creates && Self.isKind($0.entity, of: link.entity) }
                }
                return last ?? -1 < scenario.records[index].source ? nil : .waiting(link, value)
            default: return .waiting(link, value)
            }
        }

        private func new(_ entity: String) -> Person {
            Person(entity: entity, values: scenario.hasDefault ? ["code": 1] : [:])
        }

        private func object(_ destinations: [Destination]) -> Int? {
            for destination in destinations {
                switch destination {
                case .object(let index): return index
                case .waiting(let link, let value):
                    if let found = first([link.by: value], as: link.entity) { return found }
                }
            }
            return nil
        }

        private mutating func take(_ record: Record, at index: Int) -> Outcome {
            let source = scenario.sources[record.source]
            if let link = source.author {
                var author: Destination?
                if let key = record.author {
                    author = findOrMake(key, link, at: index)
                    if author == nil { return .rejected }
                }
                state.notes.append((record.serial, author))
                return .taken
            }
            for (object, instances) in zip(source.objects, record.instances) {
                var bosses: [Destination??] = []
                for instance in instances {
                    guard let key = instance.boss, let link = object.boss else {
                        bosses.append(nil)
                        continue
                    }
                    let found = key.flatMap { findOrMake($0, link, at: index) }
                    if key != nil, found == nil { return .rejected }
                    bosses.append(.some(found))
                }
                for (instance, boss) in zip(instances, bosses) {
                    let outcome = take(instance, boss, record.serial, at: index, object)
                    if outcome != .taken { return outcome }
                    if !isUnique { return .rejected }
                }
            }
            return .taken
        }

        private mutating func take(
            _ instance: Instance, _ boss: Destination??, _ serial: Int, at index: Int, _ object: Object
        ) -> Outcome {
            var values = instance.values
            if scenario.needsMail, case .some(nil) = values["mail"] { return .rejected }
            // A null is the default.
            if scenario.hasDefault, case .some(nil) = values["code"] { values["code"] = .some(1) }
            values["serial"] = .some(serial)
            let friends = instance.friends.flatMap { keys in object.friends.map { ($0, keys) } }
            var key: [String: Int] = [:]
            for name in object.key { key[name] = values[name] ?? nil }
            let known = object.key.isEmpty || key.count < object.key.count ? nil : first(key, as: object.entity)
            if let (link, keys) = friends, known == nil ? object.missing == "create" : object.match != "skip" {
                state.named.append((index, link, keys))
            }
            guard let known else {
                guard object.missing == "create" else {
                    guard object.missing == "skip" else { return .rejected }
                    // A record that is skipped does not wait for what may come later.
                    state.needed.removeAll { $0.record == index }
                    return .taken
                }
                var person = new(object.entity)
                for (name, value) in values { person.values[name] = value }
                person.bosses = [boss ?? nil].compactMap { $0 }
                person.friends = friends
                state.all.append(person)
                return !scenario.needsMail || person.values["mail"] != nil ? .taken : .rejected
            }
            switch object.match {
            case "error": return .mismatch
            case "update":
                for (name, value) in values { state.all[known].values[name] = value }
                if let boss { state.all[known].bosses = [boss].compactMap { $0 } }
                if let friends { state.all[known].friends = friends }
            case "fill":
                for (name, value) in values where all[known].values[name] == nil {
                    state.all[known].values[name] = value
                }
                if case .some(.some(let boss)) = boss { state.all[known].bosses.append(boss) }
            default: break
            }
            return .taken
        }

        private func text(_ index: Int?) -> String {
            guard let index else { return "NULL|NULL|NULL" }
            return ["code", "mail", "serial"].map { all[index].values[$0].map { "\($0)" } ?? "NULL" }
                .joined(separator: "|")
        }

        var people: [String] {
            all.indices.map { "\(all[$0].entity)|\(text($0))|\(text(object(all[$0].bosses)))" }.sorted()
        }

        var friends: [String] {
            all.indices.flatMap { index -> [String] in
                guard let (link, keys) = all[index].friends else { return [] }
                let found = Set(keys.compactMap { first([link.by: $0], as: link.entity) })
                return found.map { "\(text(index))|\(text($0))" }
            }.sorted()
        }

        var notes: [String] {
            state.notes.map { "\($0.serial)|\(text(object([$0.author].compactMap { $0 })))" }.sorted()
        }
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
            guard report.isAssembled else { continue }
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
                let context = "\(writer) \(report.lookupReasons ?? []) \(random.context)"
                // A link that SQLite found stays if the record that gave the value is taken back. SQLite creates what the
                // records of a batch name before it writes them, and writes their objects mapping after mapping.
                let isAhead =
                    size > 1
                    && scenario.sources.contains { source in
                        source.links.contains(where: \.creates)
                            || source.objects.count > 1
                                && source.objects.contains { $0.match == "error" || $0.missing == "error" }
                    }
                if !report.isAssembled, plain.hasLateRejections || isAhead { return report }
                try #require(rejected.sorted() == plain.rejected, "\(context)")
                // SQLite looks for what the records of a batch name before it writes the batch.
                if !report.isAssembled, size > 1 {
                    try fixture.requireRows(
                        "SELECT ZCODE, ZMAIL, ZSERIAL FROM ZPERSON",
                        plain.people.map { $0.split(separator: "|")[1...3].joined(separator: "|") }.sorted(), context)
                    return report
                }
                try Self.require(plain, in: fixture, context)
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            // SQLite counts what is filled behind a link that waits when it is written, and an object that a record
            // both creates by a reference and changes once.
            let areCountedAlike = scenario.sources.allSatisfy { source in
                source.objects.allSatisfy { $0.boss == nil || $0.match != "fill" && source.objects.count == 1 }
            }
            if size == 1, areCountedAlike {
                func counts(_ report: ImportReport) -> [String] {
                    report.entities.map {
                        "\($0.entity) \($0.inserted) \($0.updated) \($0.unchanged) \($0.skipped) \($0.rejected)"
                    }.filter { !$0.hasSuffix(" 0 0 0 0 0") }.sorted()
                        + ["\(report.entities.map(\.related).reduce(0, +))"]
                }
                #expect(counts(found) == counts(expected), "\(random.context)")
            }
            if found.isAssembled {
                rejections += plain.rejected.count
                creations += plain.creations
            }
            return found
        }
        #expect(TestSettings.isFast || rejections > 0 && creations > 0)
    }

    /// A row that is skipped names nothing, also if what it would create had a value of another object.
    @Test(arguments: [1, 2, 1000])
    func listsOfSkippedRowsRejectNothing(size: Int) throws {
        let number = "attributeType=\"Integer 32\" optional=\"YES\""
        let fixture = try ImportFixture(
            entities: """
                <entity name="Person"><attribute name="code" \(number) defaultValueString="1"/>
                <attribute name="mail" \(number)/><attribute name="serial" \(number)/>
                <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="friendOf" inverseEntity="Person"/>
                <relationship name="friendOf" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="friends" inverseEntity="Person"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
                </uniquenessConstraints></entity>
                """)
        let mapping = """
            import: 1
            sources:
              - files: people.json
                entity: Person
                key: [code]
                onMatch: skip
                attributes: [code, mail]
                relationships: {friends: {by: mail, onMissing: create, from: 'friends[*]'}}
            """
        // The second row is skipped; what the third one names would have the code of the first one.
        let people = """
            {"code": 1, "mail": 1}
            {"code": 1, "mail": 2, "friends": [3]}
            {"code": 2, "mail": 4, "friends": [5]}
            {"code": 3, "mail": 6, "friends": [1]}
            """
        var options = ImportOptions(rows: size)
        options.writer = .builder
        var rejected: [Int] = []
        options.onReject = { rejection, _ in rejected.append(Int(rejection.line)) }
        let files = [try fixture.write(people, as: "people.json")]
        let report = try fixture.run(files, .mapping(ImportMapping(yaml: mapping)), options: options)
        #expect(report.isAssembled)
        #expect(rejected == [3])
        #expect(try fixture.rows("SELECT ZCODE, ZMAIL FROM ZPERSON ORDER BY 1") == ["1|1", "3|6"])
        #expect(try fixture.rows(Self.friends(fixture)).count == 1)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
