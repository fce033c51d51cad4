import Foundation
import ImportTestSupport
import PersistentStores
import StoreAssembly
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Objects that are made because records name them, with values that must be unique: a record is rejected if an object
/// that is made for it would have what another one has. Assembled stores and those that SQLite writes have what a plain
/// model has that takes one record after the other.
@Suite struct AssembledMadeValueTests {
    private static let entities = """
        <entity name="Person"><attribute name="code" attributeType="String"/>
        <attribute name="badge" optional="YES" attributeType="Integer 32"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="people" \
        inverseEntity="Team"/>
        <relationship name="second" optional="YES" maxCount="1" destinationEntity="Team" inverseName="others" \
        inverseEntity="Team"/>
        <relationship name="clubs" optional="YES" toMany="YES" destinationEntity="Team" inverseName="members" \
        inverseEntity="Team"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="badge"/></uniquenessConstraint>
        </uniquenessConstraints></entity>
        <entity name="Team"><attribute name="code" attributeType="String"/>
        <attribute name="slug" optional="YES" attributeType="String" defaultValueString="new"/>
        <attribute name="city" optional="YES" attributeType="Integer 16" defaultValueString="1"/>
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
        inverseEntity="Person"/>
        <relationship name="others" optional="YES" toMany="YES" destinationEntity="Person" inverseName="second" \
        inverseEntity="Person"/>
        <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="clubs" \
        inverseEntity="Person"/>
        <relationship name="tasks" optional="YES" toMany="YES" destinationEntity="Task" inverseName="team" \
        inverseEntity="Task"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="slug"/><constraint value="city"/>
        </uniquenessConstraint></uniquenessConstraints></entity>
        <entity name="Task"><attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="tasks" \
        inverseEntity="Team"/></entity>
        """

    private struct Record {
        let file: String
        let line: Int
        let fields: [(name: String, value: String)]

        subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        var text: String {
            let parts = fields.map { name, value in
                ["badge", "city"].contains(name) ? "\"\(name)\": \(value)" : "\"\(name)\": \"\(value)\""
            }
            return "{" + parts.joined(separator: ", ") + "}\n"
        }
    }

    private struct Scenario: RandomImport {
        var mapping = ""
        var files: [(name: String, text: String)] = []
        var entities: String { AssembledMadeValueTests.entities }
        var records: [Record] = []
        let rule: String

        init(_ random: inout RandomNumbers) {
            func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            rule = ["update", "fill", "skip"].randomElement(using: &random) ?? "update"
            // Files are imported in the order of their sources.
            let isByEntity = number(below: 2) == 0
            let task =
                "{entity: Task, attributes: {title: title}, relationships: {team: {by: code, from: task, onMissing: create}}}"
            func source(_ entity: String, _ files: String) -> String {
                if entity == "TeamTask" {
                    return "  - files: \(files).json\n    objects: [{entity: Team, key: code, onMatch: \(rule), "
                        + "attributes: [code, slug, city]}, \(task)]\n"
                }
                if entity == "PersonTask" {
                    return
                        "  - files: \(files).json\n    objects: [{entity: Person, key: code, attributes: [code, badge], "
                        + "relationships: {team: {by: code, from: team, onMissing: create}}}, \(task)]\n"
                }
                return entity == "Team"
                    ? """
                      - files: \(files).json
                        entity: Team
                        key: code
                        onMatch: \(rule)
                        attributes: [code, slug, city]

                    """
                    : """
                      - files: \(files).json
                        entity: Person
                        key: code
                        attributes: [code, badge]
                        relationships:
                          team: {by: code, from: team, onMissing: create}
                          second: {by: code, from: second, onMissing: create}

                    """
            }
            let codes = [2, 4, 8].randomElement(using: &random) ?? 2
            let hasTasks = number(below: 2) == 0
            let kinds = ["Team", "Person"] + (hasTasks ? ["TeamTask", "PersonTask", "PersonTask"] : [])
            var order = (0..<number(below: 4) + 1).map { _ in kinds.randomElement(using: &random) ?? "Team" }
            let entities = Set(kinds).sorted().shuffled(using: &random)
            if isByEntity { order = entities.flatMap { entity in order.filter { $0 == entity } } }
            mapping = "import: 1\nsources:\n"
            if isByEntity { mapping += entities.map { source($0, "\($0)?") }.joined() }
            for (part, entity) in order.enumerated() {
                if !isByEntity { mapping += source(entity, "\(entity)\(part)") }
                let name = "\(entity)\(part).json"
                var text = ""
                for line in 0..<number(below: 8) + 1 {
                    var fields: [(name: String, value: String)] = []
                    func add(_ name: String, _ value: String) {
                        if number(below: 3) > 0 { fields.append((name, value)) }
                    }
                    fields.append(("code", "\(entity.first ?? "x")\(number(below: codes))"))
                    if entity.hasSuffix("Task") {
                        add("task", "T\(number(below: codes))")
                        add("title", "\(part)-\(line)")
                    }
                    if entity.hasPrefix("Team") {
                        add("slug", ["new", "old", "a", "b"].randomElement(using: &random) ?? "")
                        add("city", "\(number(below: 3))")
                    } else {
                        add("badge", "\(number(below: 6))")
                        add("team", "T\(number(below: codes))")
                        if number(below: 3) == 0, entity == "Person" { add("second", "T\(number(below: codes))") }
                    }
                    records.append(Record(file: name, line: line + 1, fields: fields))
                    text += records.last?.text ?? ""
                }
                files.append((name, text))
            }
        }
    }

    private struct Plain {
        var teams: [String: [String: String]] = [:]
        var people: [String: [String: String]] = [:]
        var tasks: [String] = []
        var rejected: [String] = []

        init(_ scenario: Scenario) {
            for record in scenario.records {
                let before = (teams, people)
                if take(record, scenario.rule), takeTask(record) { continue }
                (teams, people) = before
                rejected.append("\(record.file):\(record.line)")
            }
        }

        /// A task comes behind the other object of its record.
        private mutating func takeTask(_ record: Record) -> Bool {
            guard record.file.contains("Task") else { return true }
            if let named = record["task"], teams[named] == nil, !put(named, ["slug": "new", "city": "1"]) {
                return false
            }
            tasks.append("\(record["title"] ?? "NULL")|\(record["task"] ?? "NULL")")
            return true
        }

        private mutating func put(_ code: String, _ team: [String: String]) -> Bool {
            let isTaken = teams.contains { other, held in
                other != code && held["slug"] == team["slug"] && held["city"] == team["city"]
            }
            teams[code] = team
            return !isTaken
        }

        private mutating func take(_ record: Record, _ rule: String) -> Bool {
            let code = record["code"] ?? ""
            if record.file.hasPrefix("Team") {
                var team = teams[code] ?? ["slug": "new", "city": "1"]
                // What is there has both, so that nothing is filled.
                if teams[code] != nil, rule != "update" { return true }
                for field in ["slug", "city"] { team[field] = record[field] ?? team[field] }
                return put(code, team)
            }
            for name in ["team", "second"] {
                guard let named = record[name], teams[named] == nil else { continue }
                guard put(named, ["slug": "new", "city": "1"]) else { return false }
            }
            var person = people[code] ?? [:]
            for field in ["badge", "team", "second"] { person[field] = record[field] ?? person[field] }
            let isTaken = people.contains { other, held in
                other != code && held["badge"] != nil && held["badge"] == person["badge"]
            }
            people[code] = person
            return !isTaken
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func recordsAreRejectedForWhatIsMadeForThem(size: Int) throws {
        var rejections = 0
        try Scenario.forEachCase(30, size: size, assembledTenths: 10) { random in
            let (scenario, context) = (random.scenario, random.context)
            random.options.fixedLimits.assembly.constraintPages = 1
            let plain = Plain(scenario)
            rejections += plain.rejected.count
            var reports: [ImportReport] = []
            for writer in [NewStoreWriter.auto, .sqlite] {
                let fixture = try ImportFixture(entities: scenario.entities)
                let (report, rejected) = try scenario.runNamingRejects(
                    writer, random.options, in: fixture, isJudged: random.isJudged)
                #expect(rejected.sorted() == plain.rejected.sorted(), "\(writer) \(context)")
                try fixture.requireRows(
                    "SELECT ZCODE, ZSLUG, ZCITY FROM ZTEAM",
                    plain.teams.map { "\($0)|\($1["slug"] ?? "")|\($1["city"] ?? "")" }.sorted(), "\(writer) \(context)"
                )
                try fixture.requireRows(
                    "SELECT p.ZCODE, p.ZBADGE, t.ZCODE, s.ZCODE FROM ZPERSON p LEFT JOIN ZTEAM t ON t.Z_PK = p.ZTEAM "
                        + "LEFT JOIN ZTEAM s ON s.Z_PK = p.ZSECOND",
                    plain.people.map { code, person in
                        ([code] + ["badge", "team", "second"].map { person[$0] ?? "NULL" }).joined(separator: "|")
                    }.sorted(), "\(writer) \(context)")
                try fixture.requireRows(
                    "SELECT k.ZTITLE, t.ZCODE FROM ZTASK k LEFT JOIN ZTEAM t ON t.Z_PK = k.ZTEAM", plain.tasks.sorted(),
                    "\(writer) \(context)")
                reports.append(report)
            }
            #expect(reports[0].rejected == reports[1].rejected, "\(context)")
            // They come in the order in which records are found to be rejected.
            let rejections = reports.map { ($0.rejections ?? []).map { "\($0)" }.sorted() }
            #expect(rejections[0] == rejections[1], "\(context)")
            func counts(_ report: ImportReport) -> [String] {
                report.entities.filter { $0 != ImportReport.EntityReport(entity: $0.entity) }.map {
                    "\($0.entity) \($0.inserted) \($0.skipped) \($0.rejected) \($0.related)"
                }
            }
            #expect(counts(reports[0]) == counts(reports[1]), "\(context)")
            return reports[0]
        }
        #expect(TestSettings.isFast || rejections > RandomNumbers.seeds(30).count / 2)
    }

    /// What a list names is made when all records are read.
    @Test(arguments: [NewStoreWriter.builder, .sqlite], [1, 2, 1000])
    func recordsAreRejectedForWhatListsName(writer: NewStoreWriter, rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.entities)
        var options = ImportOptions(rows: rows, writer)
        var messages: [String] = []
        options.onReject = { rejection, _ in
            messages += rejection.reasons.map {
                "\(rejection.line) \($0.property ?? "") \($0.column ?? "") \($0.message)"
            }
        }
        let report = try fixture.run(
            "{\"code\": \"a\", \"clubs\": [\"t\"]}\n{\"code\": \"b\", \"clubs\": [\"u\", \"t\"]}\n"
                + "{\"code\": \"c\", \"clubs\": [\"t\"]}\n{\"code\": \"d\", \"clubs\": [\"u\"]}\n",
            as: "p.json",
            mapping: """
                entity: Person
                key: code
                attributes: [code, badge]
                relationships: {clubs: {by: code, from: 'clubs[*]', onMissing: create}}

                """, options: options)
        #expect(report.writer == writer)
        let violation = "UNIQUE constraint failed: ZTEAM.ZSLUG, ZTEAM.ZCITY"
        #expect(messages.map { String($0.prefix(8)) } == ["2 clubs ", "4 clubs "], "\(messages)")
        #expect(messages.allSatisfy { $0.contains(violation) }, "\(messages)")
        #expect(try fixture.rows("SELECT ZCODE FROM ZPERSON ORDER BY 1") == ["a", "c"])
        #expect(try fixture.rows("SELECT ZCODE, ZSLUG, ZCITY FROM ZTEAM") == ["t|new|1"])
        #expect(report.rejected == 2)
    }

    /// Objects that to-one relationships create come with their records, and those of lists after all records, also if each
    /// object is named once.
    @Test(arguments: [NewStoreWriter.builder, .sqlite], [1, 1000])
    func listsCreateObjectsLast(writer: NewStoreWriter, rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.entities)
        var options = ImportOptions(rows: rows, writer)
        var found: [String] = []
        options.onReject = { rejection, _ in
            found += rejection.reasons.map { "\(rejection.line) \($0.property ?? "")" }
        }
        let report = try fixture.run(
            "{\"code\": \"a\", \"clubs\": [\"t\"]}\n{\"code\": \"b\", \"team\": \"u\"}\n"
                + "{\"code\": \"c\", \"team\": \"v\", \"second\": \"w\"}\n"
                + "{\"code\": \"d\", \"team\": \"u\", \"second\": \"x\"}\n",
            as: "p.json",
            mapping: """
                entity: Person
                key: code
                attributes: [code, badge]
                relationships:
                  clubs: {by: code, from: 'clubs[*]', onMissing: create}
                  team: {by: code, from: team, onMissing: create}
                  second: {by: code, from: second, onMissing: create}

                """, options: options)
        #expect(report.writer == writer)
        #expect(found.sorted() == ["1 clubs", "3 team", "4 second"])
        #expect(try fixture.rows("SELECT ZCODE FROM ZPERSON ORDER BY 1") == ["b"])
        #expect(try fixture.rows("SELECT ZCODE, ZSLUG, ZCITY FROM ZTEAM") == ["u|new|1"])
    }

    /// Values that may be files of their own are compared as the store has them: files have names of their own.
    @Test(arguments: [NewStoreWriter.builder, .sqlite], [false, true])
    func smallExternalValuesAreUnique(writer: NewStoreWriter, isOfFiles: Bool) throws {
        let fixture = try ImportFixture(
            entities: """
                <entity name="Photo"><attribute name="code" attributeType="String"/>
                <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="data"/></uniquenessConstraint>
                </uniquenessConstraints></entity>
                """)
        var options = ImportOptions(rows: 2, writer)
        options.fixedLimits.largestInline = 8
        let values = ["a": "small", "b": "larger than that", "c": "small", "d": "larger than that", "e": "tiny"]
        var text = "code,data\n"
        for (code, value) in values.sorted(by: { $0.key < $1.key }) {
            if isOfFiles { _ = try fixture.write(value, as: "\(code).bin") }
            text += "\(code),\(isOfFiles ? "\(code).bin" : value)\n"
        }
        let report = try fixture.run(
            text, as: "photos.csv",
            mapping: """
                entity: Photo
                key: code
                attributes: {code: code, data: {from: data, binary: \(isOfFiles ? "file" : "text")}}

                """, options: options)
        #expect(report.writer == writer)
        #expect(try fixture.rows("SELECT ZCODE FROM ZPHOTO ORDER BY 1") == ["a", "b", "d", "e"])
        #expect(report.firstFaults?.map(\.line) == [4])
    }
}
