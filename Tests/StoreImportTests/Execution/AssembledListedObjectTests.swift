import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Random imports into a new store whose lists name objects that are created if no record makes them: other records of the
/// same file, or of later ones. Assembled stores and those that SQLite writes have what a plain model has.
@Suite struct AssembledListedObjectTests {
    private struct Source {
        let isOfPosts: Bool
        let match: String
        let missing: String
        let adds: Bool
        let main: String

        func text(_ index: Int) -> String {
            let list = "{by: code, from: 'tags[*]', add: \(adds), onMissing: create}"
            let lists =
                isOfPosts
                ? "{tags: \(list), main: {by: code, from: main, onMissing: \(main)}}" : "{related: \(list)}"
            return """
                  - files: part\(index)-*.json
                    entity: \(isOfPosts ? "Post" : "Tag")
                    key: code
                    onMatch: \(match)
                    onMissing: \(missing)
                    attributes: [code, name\(isOfPosts ? ", slug" : "")]
                    relationships: \(lists)

                """
        }
    }

    private struct Record {
        let source: Int
        let place: String
        let code: Int?
        let name: Int?
        let slug: Int?
        let main: Int?
        let tags: [Int]?

        var line: String {
            var parts = ["\"code\": \(code.map { "\($0)" } ?? "null")"]
            if let name { parts.append("\"name\": \(name)") }
            if let slug { parts.append("\"slug\": \(slug)") }
            if let main { parts.append("\"main\": \(main)") }
            if let tags { parts.append("\"tags\": \(tags)") }
            return "{" + parts.joined(separator: ", ") + "}\n"
        }
    }

    private struct Scenario: RandomImport {
        let isUnique: Bool
        let isOrdered: Bool
        var sources: [Source] = []
        var records: [Record] = []
        var files: [(name: String, text: String)] = []
        /// Whether some lists are filled, and others not.
        var mixesFills: Bool { Set(sources.map { $0.match == "fill" }).count > 1 }
        var mapping: String {
            "import: 1\nsources:\n" + sources.enumerated().map { $0.element.text($0.offset) }.joined()
        }
        var entities: String {
            let constraint =
                "<uniquenessConstraints><uniquenessConstraint><constraint value=\"slug\"/></uniquenessConstraint>"
                + "</uniquenessConstraints>"
            return """
                <entity name="Post"><attribute name="code" optional="YES" attributeType="Integer 32"/>
                <attribute name="name" optional="YES" attributeType="Integer 32"/>
                <attribute name="slug" optional="YES" attributeType="Integer 32"/>
                <relationship name="tags" optional="YES" toMany="YES" \(isOrdered ? "ordered=\"YES\" " : "")\
                destinationEntity="Tag" inverseName="posts" inverseEntity="Post"/>
                <relationship name="main" optional="YES" maxCount="1" destinationEntity="Tag" inverseName="ledPosts" \
                inverseEntity="Post"/>\(isUnique ? constraint : "")</entity>
                <entity name="Tag"><attribute name="code" optional="YES" attributeType="Integer 32"/>
                <attribute name="name" optional="YES" attributeType="Integer 32" defaultValueString="9"/>
                <relationship name="posts" optional="YES" toMany="YES" destinationEntity="Post" inverseName="tags" \
                inverseEntity="Post"/>
                <relationship name="ledPosts" optional="YES" toMany="YES" destinationEntity="Post" \
                inverseName="main" inverseEntity="Post"/>
                <relationship name="related" optional="YES" toMany="YES" destinationEntity="Tag" \
                inverseName="relating" inverseEntity="Tag"/>
                <relationship name="relating" optional="YES" toMany="YES" destinationEntity="Tag" \
                inverseName="related" inverseEntity="Tag"/></entity>
                """
        }

        init(_ random: inout RandomNumbers) {
            func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            isUnique = number(below: 3) == 0
            isOrdered = number(below: 2) == 0
            let keys = [3, 8, 20].randomElement(using: &random) ?? 3
            for _ in 0..<number(below: 4) + 1 {
                let isOfPosts = number(below: 2) == 0
                sources.append(
                    Source(
                        isOfPosts: isOfPosts, match: pick(["update", "update", "fill", "skip", "error"]),
                        missing: pick(["create", "create", "error"]), adds: number(below: 2) == 0,
                        main: isOfPosts ? pick(["skip", "create", "error"]) : ""))
            }
            for (index, source) in sources.enumerated() {
                for part in 0..<number(below: 2) + 1 {
                    let file = "part\(index)-\(part).json"
                    var text = ""
                    for line in 0..<number(below: 12) {
                        let hasList = number(below: 3) > 0
                        let record = Record(
                            source: index, place: "\(file):\(line + 1)",
                            code: number(below: 15) == 0 ? nil : number(below: keys),
                            name: number(below: 3) > 0 ? number(below: 3) : nil,
                            slug: source.isOfPosts && number(below: 3) > 0 ? number(below: 12) : nil,
                            main: source.isOfPosts && number(below: 3) == 0 ? number(below: keys + 2) : nil,
                            tags: hasList ? (0..<number(below: 4)).map { _ in number(below: keys + 3) } : nil)
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
        struct Object {
            let isPost: Bool
            let code: Int?
            var name: Int?
            var slug: Int?
            var main: Int?
            /// What records say of `main`, until all are read.
            var mains: [(code: Int, fills: Bool)] = []
            var tags: [Int] = []
        }

        private(set) var objects: [Object] = []
        private(set) var rejected: Set<String> = []
        private(set) var skipped: Int64 = 0
        /// Whether a value is another object's because that has it again without a record that is rejected, or a record lacks
        /// what records would have created that were rejected as their objects are there.
        private(set) var hasLateConflicts = false

        init(_ scenario: Scenario) {
            var isRejected = [Bool](repeating: false, count: scenario.records.count)
            var isFirst = true
            var hasMismatches = false
            while true {
                let (late, mismatches) = read(scenario, &isRejected, isFirst: isFirst)
                isFirst = false
                let next = late.isEmpty ? mismatches : late
                if hasMismatches, !next.isEmpty { hasLateConflicts = true }
                if late.isEmpty { hasMismatches = true }
                if next.isEmpty { break }
                for index in next { isRejected[index] = true }
            }
            for (index, record) in scenario.records.enumerated() where isRejected[index] {
                rejected.insert(record.place)
            }
        }

        private func find(_ isPost: Bool, _ code: Int?) -> Int? {
            guard let code else { return nil }
            return objects.firstIndex { $0.isPost == isPost && $0.code == code }
        }

        private mutating func make(_ code: Int) {
            if find(false, code) == nil { objects.append(Object(isPost: false, code: code, name: 9)) }
        }

        /// - Returns: the records that lack what they need, and those whose objects are not theirs to make.
        private mutating func read(
            _ scenario: Scenario, _ isRejected: inout [Bool], isFirst: Bool
        ) -> (late: [Int], mismatches: [Int]) {
            (objects, skipped) = ([], 0)
            var mismatches: [Int] = []
            var named: [Int] = []
            for (index, record) in scenario.records.enumerated() where !isRejected[index] {
                let source = scenario.sources[record.source]
                let before = objects
                if let main = record.main, source.main == "create" { make(main) }
                let known = find(source.isOfPosts, record.code)
                if known != nil, source.match == "error" {
                    mismatches.append(index)
                    objects = before
                    continue
                }
                if known == nil, source.missing == "error" {
                    isRejected[index] = true
                    objects = before
                    continue
                }
                if known != nil, source.match == "skip" {
                    skipped += 1
                    continue
                }
                var object =
                    known.map { objects[$0] }
                    ?? Object(isPost: source.isOfPosts, code: record.code, name: source.isOfPosts ? nil : 9)
                let fills = known != nil && source.match == "fill"
                if let name = record.name, !fills || object.name == nil { object.name = name }
                if let slug = record.slug, !fills || object.slug == nil { object.slug = slug }
                if let main = record.main { object.mains.append((main, fills)) }
                if let tags = record.tags, !fills || object.tags.isEmpty {
                    object.tags = source.adds && !fills ? object.tags + tags : tags
                }
                if scenario.isUnique, source.isOfPosts, let slug = object.slug,
                    objects.indices.contains(where: {
                        $0 != known && objects[$0].isPost && objects[$0].slug == slug
                    })
                {
                    isRejected[index] = true
                    objects = before
                    if !isFirst { hasLateConflicts = true }
                    continue
                }
                if let known { objects[known] = object } else { objects.append(object) }
                named += record.tags ?? []
            }
            for code in named { make(code) }
            for index in objects.indices {
                // What leads nowhere fills nothing.
                for (code, fills) in objects[index].mains where !fills || objects[index].main == nil {
                    objects[index].main = find(false, code) == nil ? nil : code
                }
            }
            let late = scenario.records.indices.filter { index in
                guard !isRejected[index], !mismatches.contains(index),
                    scenario.sources[scenario.records[index].source].main == "error",
                    let main = scenario.records[index].main
                else { return false }
                return find(false, main) == nil
            }
            return (late, mismatches)
        }

        func rows(ofPosts isPost: Bool) -> [String] {
            func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "NULL" }
            return objects.filter { $0.isPost == isPost }.map { object in
                "\(text(object.code))|\(text(object.name))"
                    + (isPost ? "|\(text(object.slug))|\(text(object.main))" : "")
            }.sorted()
        }

        func links(ofPosts isPost: Bool) -> [String] {
            objects.filter { $0.isPost == isPost }.flatMap { object in
                Set(object.tags).map { "\(object.code.map { "\($0)" } ?? "NULL")|\($0)" }
            }.sorted()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func listsCreateWhatNoRecordMakes(size: Int) throws {
        var created = 0
        try Scenario.forEachCase(60, size: size, assembledTenths: 8) { random in
            let (scenario, context) = (random.scenario, random.context)
            random.options.fixedLimits.assembly.constraintPages = 1
            let plain = Plain(scenario)
            func report(_ writer: NewStoreWriter) throws -> ImportReport {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                // SQLite sees only what objects have in the end, when records have been taken back.
                if !report.isAssembled, plain.hasLateConflicts { return report }
                let context = "\(report.isAssembled) \(context)"
                try #require(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                try fixture.requireRows("SELECT ZCODE, ZNAME FROM ZTAG", plain.rows(ofPosts: false), context)
                try fixture.requireRows(
                    "SELECT p.ZCODE, p.ZNAME, p.ZSLUG, t.ZCODE FROM ZPOST p LEFT JOIN ZTAG t ON t.Z_PK = p.ZMAIN",
                    plain.rows(ofPosts: true), context)
                // SQLite asks whether a list that is filled has links before those come that wait.
                if !report.isAssembled, scenario.mixesFills { return report }
                try fixture.requireRows(
                    "SELECT p.ZCODE, t.ZCODE FROM Z_1TAGS l JOIN ZPOST p ON p.Z_PK = l.Z_1POSTS "
                        + "JOIN ZTAG t ON t.Z_PK = l.Z_2TAGS", plain.links(ofPosts: true), context)
                try fixture.requireRows(
                    "SELECT a.ZCODE, b.ZCODE FROM Z_2RELATING l JOIN ZTAG a ON a.Z_PK = l.Z_2RELATING "
                        + "JOIN ZTAG b ON b.Z_PK = l.Z_2RELATED", plain.links(ofPosts: false), context)
                for entity in report.entities {
                    let count = plain.objects.count { $0.isPost == (entity.entity == "Post") }
                    #expect(entity.inserted == Int64(count), "\(entity.entity) \(context)")
                }
                #expect(report.entities.map(\.skipped).reduce(0, +) == plain.skipped, "\(context)")
                return report
            }
            let (found, expected) = (try report(.auto), try report(.sqlite))
            if !plain.hasLateConflicts, !scenario.mixesFills {
                let related = [found, expected].map { $0.entities.filter { $0.related > 0 }.map(\.related) }
                #expect(related[0] == related[1], "\(context)")
                #expect(found.unresolvedLinks == expected.unresolvedLinks, "\(context)")
            }
            if found.isAssembled { created += plain.objects.count { !$0.isPost } }
            return found
        }
        #expect(TestSettings.isFast || created > RandomNumbers.seeds(60).count / 2)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }
}
