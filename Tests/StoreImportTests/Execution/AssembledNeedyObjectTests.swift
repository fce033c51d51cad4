import Foundation
import ImportMappings
import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// Random imports into a new store whose records create objects by naming them, which must lead to others: assembled and
/// written by SQLite, both stores have what a plain model has that rejects records until all objects have what they need.
@Suite struct AssembledNeedyObjectTests {
    private struct Record {
        let file: String
        let line: Int
        /// The storm that it is, or those that it names.
        var storms: [String]
        var text: String
    }

    private struct Scenario: RandomImport {
        var mapping = ""
        var files: [(name: String, text: String)] = []
        var records: [Record] = []
        /// The clouds that a storm needs.
        let leastClouds: Int
        /// Whether a storm may have none of them.
        let isOptional: Bool
        let needsRegion: Bool
        /// Whether records of clouds, and those of regions, create storms.
        let cloudsCreate: Bool
        let regionsCreate: Bool

        var entities: String {
            """
            <entity name="Storm"><attribute name="name" attributeType="String"/>
            <attribute name="note" optional="YES" attributeType="Integer 32"/>
            <relationship name="clouds" \(isOptional ? "optional='YES'" : "") toMany="YES" minCount="\(leastClouds)" \
            destinationEntity="Cloud" inverseName="storm" inverseEntity="Cloud"/>
            <relationship name="region" \(needsRegion ? "" : "optional='YES'") maxCount="1" destinationEntity="Region" \
            inverseName="storms" inverseEntity="Region"/></entity>
            <entity name="Cloud"><attribute name="name" attributeType="String"/>
            <relationship name="storm" optional="YES" maxCount="1" destinationEntity="Storm" inverseName="clouds" \
            inverseEntity="Storm"/></entity>
            <entity name="Region"><attribute name="name" attributeType="String"/>
            <relationship name="storms" optional="YES" toMany="YES" destinationEntity="Storm" inverseName="region" \
            inverseEntity="Region"/></entity>
            """
        }

        init(_ random: inout RandomNumbers) {
            func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random) ?? values[0] }
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            leastClouds = pick([0, 1, 2, 2, 3])
            isOptional = leastClouds == 0
            needsRegion = leastClouds == 0 || number(below: 3) == 0
            cloudsCreate = number(below: 4) > 0
            regionsCreate = !cloudsCreate || number(below: 2) == 0
            let storms = pick([2, 5, 12])
            var sources = ["Cloud"]
            if needsRegion || regionsCreate { sources.append("Region") }
            if number(below: 2) == 0 { sources.append("Storm") }
            sources.shuffle(using: &random)
            mapping = "import: 1\nsources:\n"
            for source in sources {
                mapping += "  - {files: \(source)*, entity: \(source), "
                switch source {
                case "Cloud":
                    mapping +=
                        "attributes: [name], relationships: {storm: {by: name, from: storm, "
                        + "onMissing: \(cloudsCreate ? "create" : "skip")}}}\n"
                case "Region":
                    mapping +=
                        "attributes: [name], relationships: {storms: {by: name, from: 'storms[*]', "
                        + "onMissing: \(regionsCreate ? "create" : "skip")}}}\n"
                default: mapping += "key: name, attributes: [name, note]}\n"
                }
                for part in 0..<number(below: 2) + 1 {
                    let name = "\(source)\(part).json"
                    var text = ""
                    for line in 1..<number(below: 14) + 1 {
                        var named = ["s\(number(below: storms))"]
                        var line = Record(file: name, line: line, storms: named, text: "")
                        switch source {
                        case "Cloud":
                            if number(below: 8) == 0 { named = [] }
                            line.text =
                                "{\"name\": \"c\(line.line)\"\(named.map { ", \"storm\": \"\($0)\"" }.joined())}\n"
                        case "Region":
                            while number(below: 2) == 0 { named.append("s\(number(below: storms))") }
                            let list = named.map { "\"\($0)\"" }.joined(separator: ", ")
                            line.text = "{\"name\": \"r\(line.line)\", \"storms\": [\(list)]}\n"
                        default: line.text = "{\"name\": \"\(named[0])\", \"note\": \(line.line)}\n"
                        }
                        line.storms = named
                        text += line.text
                        records.append(line)
                    }
                    files.append((name, text))
                }
            }
        }

        func source(of record: Record) -> String { String(record.file.prefix { $0.isLetter }) }

        /// Whether a record makes the storms that it has.
        func makes(_ record: Record) -> Bool {
            switch source(of: record) {
            case "Cloud": cloudsCreate
            case "Region": regionsCreate
            default: true
            }
        }
    }

    /// What is left when no record has a storm that lacks something.
    private struct Plain {
        var storms: Set<String> = []
        var left: [Record] = []
        var rejected: [String] = []

        init(_ scenario: Scenario) {
            left = scenario.records
            while true {
                storms = Set(left.filter(scenario.makes).flatMap(\.storms))
                let clouds = left.filter { scenario.source(of: $0) == "Cloud" }.flatMap(\.storms)
                let inRegions = Set(left.filter { scenario.source(of: $0) == "Region" }.flatMap(\.storms))
                let lacking = storms.filter { storm in
                    clouds.count { $0 == storm } < scenario.leastClouds
                        || scenario.needsRegion && !inRegions.contains(storm)
                }
                let gone = left.filter { scenario.makes($0) && !lacking.isDisjoint(with: $0.storms) }
                if gone.isEmpty { return }
                rejected += gone.map { "\($0.file):\($0.line)" }
                left.removeAll { scenario.makes($0) && !lacking.isDisjoint(with: $0.storms) }
            }
        }

        func clouds(_ scenario: Scenario) -> [String] {
            left.filter { scenario.source(of: $0) == "Cloud" }.map { record in
                "c\(record.line)|" + (record.storms.first { storms.contains($0) } ?? "NULL")
            }.sorted()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func recordsAreRejectedWhoseObjectsLackOthers(size: Int) throws {
        var (rejections, kept) = (0, 0)
        try Scenario.forEachCase(40, size: size, assembledTenths: 10) { random in
            let scenario = random.scenario
            let plain = Plain(scenario)
            var reports: [ImportReport] = []
            var rejects: [[String]] = []
            // SQLite is compared if only names create storms.
            let hasOwn = scenario.records.contains { scenario.source(of: $0) == "Storm" }
            for writer in hasOwn ? [NewStoreWriter.auto] : [.auto, .sqlite] {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                let context = "\(writer) \(random.context)"
                #expect(rejected.sorted() == plain.rejected.sorted(), "\(context)")
                #expect(try fixture.rows("SELECT ZNAME FROM ZSTORM").sorted() == plain.storms.sorted(), "\(context)")
                let query = "SELECT c.ZNAME, s.ZNAME FROM ZCLOUD c LEFT JOIN ZSTORM s ON s.Z_PK = c.ZSTORM"
                #expect(try fixture.rows(query).sorted() == plain.clouds(scenario), "\(context)")
                reports.append(report)
                rejects.append(rejected)
            }
            rejections += plain.rejected.count
            kept += plain.storms.count
            guard !hasOwn else { return reports[0] }
            // SQLite also counts the links of lists whose objects later lists take.
            func counts(_ report: ImportReport) -> [String] {
                report.entities.map { "\($0.entity) \($0.inserted) \($0.updated) \($0.unchanged) \($0.rejected)" }
            }
            #expect(counts(reports[0]) == counts(reports[1]), "\(random.context)")
            // Of lists that only link an object which goes, SQLite counts the last one: it had the object.
            if scenario.regionsCreate {
                #expect(reports[0].unresolvedLinks == reports[1].unresolvedLinks, "\(random.context)")
            }
            #expect(rejects[0] == rejects[1], "\(random.context)")
            return reports[0]
        }
        #expect(TestSettings.isFast || rejections > 0 && kept > 0)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func shardsMakeTheSameFile(size: Int) throws {
        try Scenario.expectShardsOfOneFile(size: size)
    }

    /// All records that name an object are rejected together, however many they are.
    @Test(arguments: [NewStoreWriter.builder, .sqlite])
    func allRecordsThatNameAnObjectAreRejected(writer: NewStoreWriter) throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="Cloud"><attribute name="name" attributeType="String"/>
                <relationship name="storm" optional="YES" maxCount="1" destinationEntity="Storm" inverseName="clouds" \
                inverseEntity="Storm"/></entity>
                <entity name="Storm"><attribute name="name" attributeType="String"/>
                <relationship name="clouds" optional="YES" toMany="YES" destinationEntity="Cloud" inverseName="storm" \
                inverseEntity="Cloud"/>
                <relationship name="region" maxCount="1" destinationEntity="Region" inverseName="storms" \
                inverseEntity="Region"/></entity>
                <entity name="Region"><attribute name="name" attributeType="String"/>
                <relationship name="storms" optional="YES" toMany="YES" destinationEntity="Storm" inverseName="region" \
                inverseEntity="Region"/></entity>
                """)
        let count = TestSettings.isFast ? 200 : 2000
        let clouds = (0..<count).map { "c\($0),\($0 % 50 == 0 ? "" : "s")\n" }.joined()
        let report = try fixture.run(
            "name,storm\n" + clouds, as: "clouds.csv",
            mapping: """
                entity: Cloud
                attributes: [name]
                relationships: {storm: {by: name, from: storm, onMissing: create}}

                """, options: ImportOptions(rows: 100, writer))
        #expect(report.writer == writer)
        #expect(report.rejected == Int64(count - count / 50))
        #expect(report.firstRejections.first?.contains("Storm.region") == true)
        #expect(try fixture.rows("SELECT count(*) FROM ZSTORM") == ["0"])
    }

    /// A person must have notes, and loses its only one. The record that has named it as the author is rejected, but not
    /// the one that is skipped and has it in a list.
    @Test(arguments: [1, 2, 1000], [NewStoreWriter.builder, .sqlite])
    func aSkippedListDoesNotName(rows: Int, writer: NewStoreWriter) throws {
        let code = "<attribute name=\"code\" optional=\"YES\" attributeType=\"Integer 32\"/>"
        let fixture = try ImportFixture(
            entities: """
                <entity name="Person">\(code)
                <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="friendOf" inverseEntity="Person"/>
                <relationship name="friendOf" optional="YES" toMany="YES" destinationEntity="Person" \
                inverseName="friends" inverseEntity="Person"/>
                <relationship name="notes" optional="NO" minCount="1" toMany="YES" destinationEntity="Note" \
                inverseName="author" inverseEntity="Note"/></entity>
                <entity name="Note">\(code)<relationship name="author" optional="YES" maxCount="1" \
                destinationEntity="Person" inverseName="notes" inverseEntity="Person"/></entity>
                """)
        let note = "entity: Note, key: code, attributes: [code], relationships: {author: {from: author, by: code, "
        let mapping = """
            import: 1
            sources:
              - {files: first.json, \(note)onMissing: create}}}
              - files: people.json
                entity: Person
                key: code
                onMatch: skip
                attributes: [code]
                relationships: {friends: {by: code, from: 'friends[*]', onMissing: create}}
              - {files: second.json, \(note)onMissing: create}}}
            """
        let files = try [
            fixture.write("{\"code\": 1, \"author\": 0}\n{\"code\": 2, \"author\": 1}\n", as: "first.json"),
            fixture.write("{\"code\": 0, \"friends\": [1]}\n", as: "people.json"),
            fixture.write("{\"code\": 2, \"author\": 0}\n", as: "second.json"),
        ]
        var options = ImportOptions(rows: rows, writer)
        var rejected: [String] = []
        options.onReject = { rejection, _ in
            rejected.append("\(URL(fileURLWithPath: rejection.source).lastPathComponent):\(rejection.line)")
        }
        try fixture.run(files, .mapping(ImportMapping(yaml: mapping)), options: options)
        #expect(rejected == ["first.json:2"])
        let query = "SELECT n.ZCODE, p.ZCODE FROM ZNOTE n JOIN ZPERSON p ON p.Z_PK = n.ZAUTHOR ORDER BY 1"
        #expect(try fixture.rows(query) == ["1|0", "2|0"])
    }
}
