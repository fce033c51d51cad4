import Foundation
import ImportTestSupport
import PersistentStores
import RecordSources
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// All that is wrong with a rejected record is reported: random faults held against a plain list of what they are.
@Suite struct EveryFaultTests {
    private static let entities = """
        <entity name="Team"><attribute name="code" attributeType="Integer 32"/>
        <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="team" \
        inverseEntity="Item"/>
        <relationship name="lent" optional="YES" toMany="YES" destinationEntity="Item" inverseName="lender" \
        inverseEntity="Item"/></entity>
        <entity name="Tag"><attribute name="number" attributeType="Integer 32"/>
        <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="tags" \
        inverseEntity="Item"/></entity>
        <entity name="Item"><attribute name="code" attributeType="Integer 32"/>
        <attribute name="count" optional="YES" attributeType="Integer 16" maxValueString="100"/>
        <attribute name="price" optional="YES" attributeType="Double"/>
        <attribute name="day" optional="YES" attributeType="Date"/>
        <attribute name="name" attributeType="String" maxValueString="5"/>
        <attribute name="isNew" attributeType="Boolean"/>
        <relationship name="team" maxCount="1" destinationEntity="Team" inverseName="items" inverseEntity="Team"/>
        <relationship name="lender" optional="YES" maxCount="1" destinationEntity="Team" inverseName="lent" \
        inverseEntity="Team"/>
        <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="items" \
        inverseEntity="Tag"/></entity>
        """

    /// The same without a required relationship.
    private static let looseEntities = entities.replacing(
        "<relationship name=\"team\" maxCount", with: "<relationship name=\"team\" optional=\"YES\" maxCount")

    enum Format: String, CaseIterable {
        case csv, json, xml
    }

    /// What writes the items: the builder or SQLite into a new store, or batches into one that has the teams.
    enum Way: CaseIterable {
        case built, inserted, added
    }

    /// What stands for a property, and the number of what is wrong with it.
    private struct Choice {
        let text: String?
        var code: Int?
    }

    private static let properties = ["code", "count", "price", "day", "name", "isNew", "team", "lender", "tags"]
    private static let choices: [String: [Choice]] = [
        "code": [Choice(text: "x", code: 1550), Choice(text: "", code: 1570)],
        "count": [
            Choice(text: "5"), Choice(text: nil), Choice(text: "101", code: 1610), Choice(text: "-99999", code: 1620),
            Choice(text: "z", code: 1550),
        ],
        "price": [Choice(text: "1.5"), Choice(text: ""), Choice(text: "1,5", code: 1550)],
        "day": [Choice(text: "2024-05-01"), Choice(text: "2024-13-01", code: 1650), Choice(text: "May", code: 1650)],
        "name": [Choice(text: "abc"), Choice(text: "abcdefgh", code: 1660), Choice(text: nil, code: 1570)],
        "isNew": [Choice(text: "yes"), Choice(text: "perhaps", code: 1550), Choice(text: nil, code: 1570)],
        "team": [
            Choice(text: "2"), Choice(text: "77", code: 133000), Choice(text: "q", code: 1550),
            Choice(text: "", code: 1570),
        ],
        "lender": [
            Choice(text: "1"), Choice(text: "88", code: 133000), Choice(text: "q", code: 1550), Choice(text: ""),
        ],
        "tags": [Choice(text: "1;2"), Choice(text: ""), Choice(text: "1;x;y", code: 1550)],
    ]

    private struct Record {
        let values: [String?]
        /// What is wrong with it, in the order of the mapping.
        let faults: [String]
    }

    private static func record(_ number: Int, _ format: Format, hasKey: Bool, _ random: inout RandomNumbers) -> Record {
        let isGood = Int.random(in: 0..<3, using: &random) == 0
        let chosen = properties.map { property -> Choice in
            let all = (choices[property] ?? []) + (property == "code" ? [Choice(text: String(number))] : [])
            var possible = isGood ? all.filter { $0.code == nil } : all
            if Int.random(in: 0..<3, using: &random) > 0 { possible = all.filter { $0.code == nil } }
            return possible.randomElement(using: &random) ?? Choice(text: nil)
        }
        func isAbsent(_ place: Int) -> Bool { chosen[place].text == nil && format != .csv }
        // Whether an object with the key is there is asked only if nothing else is wrong.
        let isKnown = chosen.indices.contains { chosen[$0].code != nil && !isAbsent($0) }
        let faults = properties.indices.compactMap { place -> String? in
            guard let code = chosen[place].code else { return nil }
            if hasKey, isKnown, isAbsent(place) { return nil }
            return "\(properties[place]) \(code)"
        }
        return Record(values: chosen.map(\.text), faults: faults)
    }

    private static func text(_ records: [Record], _ format: Format) -> String {
        switch format {
        case .csv:
            return properties.joined(separator: ",") + "\n"
                + records.map { record in
                    record.values.map { value in
                        (value ?? "").contains(",") ? "\"\(value ?? "")\"" : value ?? ""
                    }.joined(separator: ",") + "\n"
                }.joined()
        case .json:
            return records.map { record in
                "{"
                    + zip(properties, record.values).compactMap { name, value in
                        value.map { "\"\(name)\": " + ($0.isEmpty ? "null" : "\"\($0)\"") }
                    }.joined(separator: ", ") + "}\n"
            }.joined()
        case .xml:
            return "<all>\n"
                + records.map { record in
                    "<item>"
                        + zip(properties, record.values).compactMap { name, value in
                            value.map { "<\(name)>\($0)</\(name)>" }
                        }.joined() + "</item>\n"
                }.joined() + "</all>\n"
        }
    }

    private static func mapping(_ format: Format, hasKey: Bool, withTeams: Bool) -> String {
        let name = format == .json ? "items.ndjson" : "items.\(format.rawValue)"
        return "import: 1\nsources:\n"
            + (withTeams ? "  - {files: teams.csv, entity: Team, key: code, attributes: [code]}\n" : "") + """
                  - files: \(name)
                    entity: Item
                    \(hasKey ? "key: code" : "onMissing: create")
                    attributes: [code, count, price, day, name, isNew]
                    relationships:
                      team: {by: code, from: team}
                      lender: {by: code, from: lender, onMissing: error}
                      tags: {by: number, from: tags, separator: ';'}

                """ + (format == .xml ? "    records: /all/item\n" : "")
    }

    /// The rejected records of an import, by the number of the record, and its report.
    private static func run(
        _ records: [Record], _ format: Format, _ way: Way, hasKey: Bool, options: ImportOptions
    ) throws -> (faults: [Int: [String]], report: ImportReport) {
        let fixture = try ImportFixture(entities: entities)
        var options = options
        let teams = try fixture.write("code\n1\n2\n", as: "teams.csv")
        if way == .added {
            let mapping = try ImportMapping(
                yaml: "import: 1\nfiles: teams.csv\nentity: Team\nkey: code\nattributes: [code]\n")
            try fixture.run([teams], .mapping(mapping))
        }
        let name = format == .json ? "items.ndjson" : "items.\(format.rawValue)"
        let items = try fixture.write(text(records, format), as: name)
        if way == .inserted { options.writer = .sqlite }
        var faults: [Int: [String]] = [:]
        options.onReject = { rejection, _ in
            let reasons = rejection.reasons.map { "\($0.property ?? "-") \($0.code)" }
            #expect(rejection.reasons.allSatisfy { $0.entity == "Item" && !$0.message.isEmpty })
            faults[rejection.line - (format == .json ? 1 : 2)] = reasons
        }
        let mapping = try ImportMapping(yaml: mapping(format, hasKey: hasKey, withTeams: way != .added))
        let report = try fixture.run(way == .added ? [items] : [teams, items], .mapping(mapping), options: options)
        #expect(report.writer == (way == .added ? nil : way == .built ? .builder : .sqlite))
        return (faults, report)
    }

    @Test(arguments: RandomNumbers.seeds(24), Way.allCases)
    func allThatIsWrongWithARecordIsReportedOnceByAllWriters(seed: Int, way: Way) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let format = Format.allCases[seed % 3]
        let hasKey = seed % 2 == 0
        let records = (0..<30).map { Self.record($0, format, hasKey: hasKey, &random) }
        var options = ImportOptions()
        options.limits.rows = [1, 2, 3, 7, 1000].randomElement(using: &random) ?? 1
        options.fixedLimits.shownRejections = [0, 1, 4, 20].randomElement(using: &random) ?? 1
        let (faults, report) = try Self.run(records, format, way, hasKey: hasKey, options: options)
        var expected: [Int: [String]] = [:]
        for (number, record) in records.enumerated() where !record.faults.isEmpty { expected[number] = record.faults }
        #expect(faults == expected, "\(format), rows \(options.limits.rows)")
        let items = report.entities.first { $0.entity == "Item" }
        #expect(report.rejected == Int64(expected.count) && items?.rejected == report.rejected)
        #expect(items?.inserted == Int64(records.count - expected.count))
        // The report has the same of the first ones, and counts those of all.
        #expect(report.firstFaults?.count ?? 0 == report.firstRejections.count)
        #expect(report.firstRejections.count == min(expected.count, options.fixedLimits.shownRejections))
        var kinds: [String: Int64] = [:]
        for fault in expected.values.joined() { kinds[fault, default: 0] += 1 }
        // Several errors may have one number.
        var counted: [String: Int64] = [:]
        for kind in report.rejections ?? [] {
            #expect(kind.entity == "Item" && !kind.message.isEmpty && kind.count > 0)
            counted["\(kind.property ?? "-") \(kind.code)", default: 0] += kind.count
        }
        #expect(counted == kinds)
        #expect(
            report.description.contains("faults of all") == (expected.count > options.fixedLimits.shownRejections))

        options.stopsAtFirstFault = true
        let (first, other) = try Self.run(records, format, way, hasKey: hasKey, options: options)
        #expect(Set(first.keys) == Set(expected.keys))
        for (number, reasons) in first { #expect(reasons.count == 1 && expected[number]?.contains(reasons[0]) == true) }
        #expect(other.entities == report.entities && other.rejected == report.rejected)
        #expect(other.firstFaults?.allSatisfy { $0.faultCount == 1 } ?? true)
        #expect(other.rejections?.reduce(0) { $0 + $1.count } ?? 0 == other.rejected)
    }

    @Test func theLogHasALineForEachFaultAndTheRejectedRecordsEachOnce() throws {
        let fixture = try ImportFixture(entities: Self.looseEntities)
        var options = ImportOptions()
        options.rejectsDirectory = fixture.directory.file("rejects")
        let report = try fixture.run(
            "code,count,name,isNew\n1,x,abcdefgh,perhaps\n2,5,a,no\ny,1\n", as: "i.csv",
            mapping: "entity: Item\nkey: code\nattributes: [code, count, name, isNew]\n", options: options)
        #expect(report.rejected == 2)
        let log = try fixture.directory.text("rejects/rejects.ndjson").split(separator: "\n").map { line in
            let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            return ["record", "property", "error"].map { "\(fields[$0] ?? "-")" }.joined(separator: " ")
        }
        #expect(log == ["1 count invalid", "1 name textTooLong", "1 isNew invalid", "3 - unreadable"])
        #expect(
            try fixture.directory.text("rejects/i.rejected.csv")
                == "code,count,name,isNew\n1,x,abcdefgh,perhaps\ny,1\n")
        #expect(report.description.contains("i.csv:2: Item.count: not an integer"))
        #expect(report.description.contains("\n  and: Item.name: the text is longer"))
    }

    @Test(arguments: [1, 2, 3, 7])
    func aReportShowsSoManyFaultsOfARecordAndTheNumberOfTheOthers(shown: Int) throws {
        let fixture = try ImportFixture(entities: Self.entities)
        var options = ImportOptions()
        options.fixedLimits.shownFaults = shown
        let report = try fixture.run(
            "code,count,name,isNew\nx,x,abcdefgh,perhaps\n", as: "i.csv",
            mapping: "entity: Item\nattributes: [code, count, name, isNew]\n", options: options)
        let record = try #require(report.firstFaults?.first)
        #expect(record.faultCount == 4 && record.faults.count == min(shown, 4))
        #expect(record.faults.map(\.property) == Array(["code", "count", "name", "isNew"].prefix(shown)))
        #expect(report.otherFaults(of: 0).count == min(shown, 4) - 1 + (shown < 4 ? 1 : 0))
        if shown < 4 {
            #expect(report.otherFaults(of: 0).last?.hasPrefix("\(4 - shown) more fault") == true)
        }
        #expect(report.otherFaults(of: 1).isEmpty)
    }

    @Test func partsAndFurtherObjectsOfARecordAreLookedAtAndAPropertyIsNamedOnce() throws {
        let mapping = """
            objects:
              - {id: team, entity: Team, key: code, attributes: {code: team}}
              - entity: Item
                key: code
                each: items[*]
                attributes: [code, count, name, isNew]
                relationships: {team: {object: team}}
            """
        let text = """
            {"team": "a", "items": [{"code": 1, "count": 5, "name": "a", "isNew": true}, \
            {"code": 2, "count": 101, "name": "abcdefgh", "isNew": "x"}, {"code": "b", "count": 102, "name": "a"}]}

            """
        for writer in [NewStoreWriter.auto, .sqlite] {
            let fixture = try ImportFixture(entities: Self.entities)
            var reasons: [String] = []
            var options = ImportOptions()
            options.writer = writer
            options.onReject = { rejection, _ in
                reasons += rejection.reasons.map { "\($0.entity ?? "").\($0.property ?? "") \($0.code)" }
            }
            let report = try fixture.run(text, as: "t.ndjson", mapping: mapping, options: options)
            #expect(report.rejected == 1)
            #expect(
                reasons == [
                    "Team.code 1550", "Item.code 1550", "Item.count 1610", "Item.name 1660", "Item.isNew 1550",
                ])
            #expect(report.entities.map(\.rejected).reduce(0, +) == 1)
        }
    }

    @Test(arguments: [NewStoreWriter.auto, .sqlite])
    func nullInPlaceOfARequiredPartIsAmongTheFaults(writer: NewStoreWriter) throws {
        let mapping = """
            objects:
              - id: item
                entity: Item
                key: code
                attributes: [code, count, name, isNew]
                relationships:
                  team: {each: team, entity: Team, key: code, attributes: [code]}
            """
        let text = """
            {"code": 1, "count": 5, "name": "a", "isNew": true, "team": null}
            {"code": 2, "count": 101, "name": "a", "isNew": true, "team": null}
            {"code": 3, "count": 101, "name": "a", "isNew": true, "team": {"code": "x"}}

            """
        let fixture = try ImportFixture(entities: Self.entities)
        var reasons: [[String]] = []
        var options = ImportOptions()
        options.writer = writer
        options.onReject = { rejection, _ in
            reasons.append(rejection.reasons.map { "\($0.entity ?? "").\($0.property ?? "") \($0.code)" })
        }
        try fixture.run(text, as: "t.ndjson", mapping: mapping, options: options)
        #expect(
            reasons == [
                ["Item.team 1570"], ["Item.count 1610", "Item.team 1570"], ["Item.count 1610", "Team.code 1550"],
            ])
    }

    @Test func anObjectThatExistsOrAValueThatIsTakenIsTheOnlyFaultOfARecordWithoutOthers() throws {
        let fixture = try ImportFixture(entities: Self.entities)
        let mapping = "entity: Team\nkey: code\nonMatch: error\nattributes: [code]\n"
        var reasons: [[RejectionFault]] = []
        var options = ImportOptions()
        options.onReject = { rejection, _ in reasons.append(rejection.reasons.map(\.fault)) }
        try fixture.run("code\n1\n", as: "t.csv", mapping: mapping, options: options)
        try fixture.run("code\n1\n2\n", as: "t.csv", mapping: mapping, options: options)
        #expect(reasons == [[.exists]])
    }
}
