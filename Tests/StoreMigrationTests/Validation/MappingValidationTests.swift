import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Objects that a mapping model makes and the new model forbids: refused as by a save, or reported.
@Suite struct MappingValidationTests {
    /// One rule, and a value that breaks it.
    struct Rule: Sendable, CustomTestStringConvertible {
        let attribute: AttributeDescription
        let expression: String
        let code: Int
        /// The values of the objects 2 and 4, which the rule forbids; 1 and 3 have allowed ones.
        let values: [String]
        var testDescription: String { "\(attribute.name) \(code)" }
    }

    private static func attribute(
        _ name: String, _ type: AttributeType, _ validation: AttributeValidation
    ) -> AttributeDescription {
        var result = AttributeDescription(name: name, type: type, isOptional: true)
        result.validation = validation
        return result
    }

    private static let rules = [
        Rule(
            attribute: attribute("age", .integer16, AttributeValidation(maximum: .integer(65))),
            expression: "$source.n + 50", code: 1610, values: ["70", "90"]),
        Rule(
            attribute: attribute("age", .integer16, AttributeValidation(minimum: .integer(-15))),
            expression: "0 - $source.n", code: 1620, values: ["-20", "-40"]),
        Rule(
            attribute: attribute("born", .date, AttributeValidation(maximum: .date(15))),
            expression: "CAST($source.n, 'NSDate')", code: 1630, values: ["20", "40"]),
        Rule(
            attribute: attribute("label", .string, AttributeValidation(maximum: .integer(3))),
            expression: "$source.text + '!'", code: 1660, values: ["'long!'", "'longer!'"]),
        Rule(
            attribute: attribute("label", .string, AttributeValidation(regularExpression: "[A-Z]{1,2}")),
            expression: "uppercase:($source.text)", code: 1680, values: ["'LONG'", "'LONGER'"]),
        Rule(
            attribute: attribute(
                "age", .integer32,
                AttributeValidation(otherPredicates: [
                    ValidationPredicate(predicateFormat: "SELF < 30", warning: "too old")
                ])), expression: "$source.n * 2", code: 1550, values: ["40", "80"]),
    ]

    private static let old = [
        entity(
            "Person",
            [GeneratedStores.attribute("n", .integer16), GeneratedStores.attribute("text")])
    ]

    private static let rows = """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZN, ZTEXT) VALUES (1, 1, 1, 1, 'a'), (2, 1, 1, 20, 'long'),
            (3, 1, 1, 2, 'b'), (4, 1, 1, 40, 'longer');
        """

    private static func mapping(_ name: String, _ properties: [PropertyMapping], filter: String? = nil) -> EntityMapping
    {
        EntityMapping(
            name: name, type: .transform, sourceEntityName: "Person", destinationEntityName: "Person",
            attributeMappings: properties, sourceFilter: filter)
    }

    @Test(arguments: rules)
    func whatBreaksARuleIsRefusedAndNothingChanges(rule: Rule) throws {
        let store = try TestStore(from: Self.old, to: [entity("Person", [rule.attribute])], rows: Self.rows)
        let property = PropertyMapping(name: rule.attribute.name, valueExpression: rule.expression)
        let model = MappingModel(entityMappings: [Self.mapping("P", [property])])
        let state = try FolderState(of: store.directory.path)
        let error = #expect(throws: MigrationError.self) { try store.migrate(by: model, .refuse) }
        guard case .invalid(let findings) = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.code == "invalid-object" && finding.severity == .error && finding.cocoaCode == rule.code)
        #expect(finding.subject == "Person.\(rule.attribute.name)" && finding.count == 2)
        #expect(finding.values == rule.values)
        #expect(finding.examples == [2, 4].map { "x-coredata://\(TestStore.uuid)/Person/p\($0)" })
        #expect(error?.cocoaCode == rule.code)
        #expect(try FolderState(of: store.directory.path).byteDifferences(from: state) == [])

        // A dry run knows it before.
        let plan = try store.plan(by: model, .refuse, isThorough: true)
        let known = plan.findings.filter { $0.code == "invalid-object" }
        #expect(known.map(\.count) == [2] && known.map(\.cocoaCode) == [rule.code] && plan.isRefused)
    }

    @Test(arguments: rules)
    func withReportItIsWrittenAndWarnedOf(rule: Rule) throws {
        let store = try TestStore(from: Self.old, to: [entity("Person", [rule.attribute])], rows: Self.rows)
        let property = PropertyMapping(name: rule.attribute.name, valueExpression: rule.expression)
        let report = try store.migrate(by: MappingModel(entityMappings: [Self.mapping("P", [property])]), .report)
        let findings = report.findings.filter { $0.code == "invalid-object" }
        #expect(findings.map(\.severity) == [.warning] && findings.map(\.count) == [2])
        let column = "Z\(rule.attribute.name.uppercased())"
        #expect(try store.rows("SELECT quote(\(column)) FROM ZPERSON WHERE Z_PK IN (2, 4)") == rule.values)
    }

    /// The same value copied by one mapping and computed by another: only the latter is new.
    @Test func whatIsOnlyCopiedStaysAndIsCounted() throws {
        let age = Self.attribute("n", .integer16, AttributeValidation(maximum: .integer(15)))
        let store = try TestStore(from: Self.old, to: [entity("Person", [age])], rows: Self.rows)
        func model(_ second: String) -> MappingModel {
            MappingModel(entityMappings: [
                Self.mapping(
                    "Copied", [PropertyMapping(name: "n", valueExpression: "$source.n")], filter: "n != 40"),
                Self.mapping("Computed", [PropertyMapping(name: "n", valueExpression: second)], filter: "n == 40"),
            ])
        }
        let error = #expect(throws: MigrationError.self) { try store.migrate(by: model("$source.n + 1"), .refuse) }
        guard case .invalid(let findings) = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(findings.map(\.code) == ["invalid-object", "invalid-object-copied"])
        #expect(findings.map(\.count) == [1, 1] && findings.first?.values == ["41"])
        let report = try store.migrate(by: model("$source.n - 30"), .refuse)
        let copied = report.findings.filter { $0.code == "invalid-object-copied" }
        #expect(copied.map(\.severity) == [.note] && copied.map(\.count) == [1])
        #expect(try store.rows("SELECT ZN FROM ZPERSON ORDER BY Z_PK") == ["1", "20", "2", "10"])
    }

    /// Bounds and values at random, against comparisons of plain numbers.
    @Test(arguments: RandomNumbers.seeds(20))
    func theCountsAreThoseOfAPlainModel(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let numbers = (1...40).map { _ in Int64.random(in: -20...20, using: &random) }
        let minimum = Int64.random(in: -15...0, using: &random)
        let maximum = Int64.random(in: 0...15, using: &random)
        let add = Int64.random(in: -5...5, using: &random)
        let age = Self.attribute(
            "age", .integer16, AttributeValidation(minimum: .integer(minimum), maximum: .integer(maximum)))
        let values = numbers.enumerated().map { "(\($0.offset + 1), 1, 1, \($0.element))" }.joined(separator: ", ")
        let store = try TestStore(
            from: Self.old, to: [entity("Person", [age])],
            rows: "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZN) VALUES \(values);")
        let property = PropertyMapping(name: "age", valueExpression: "$source.n + \(add)")
        let report = try store.migrate(by: MappingModel(entityMappings: [Self.mapping("P", [property])]), .report)
        func count(_ code: Int) -> Int64 {
            report.findings.first { $0.code == "invalid-object" && $0.cocoaCode == code }?.count ?? 0
        }
        #expect(count(1620) == Int64(numbers.count { $0 + add < minimum }))
        #expect(count(1610) == Int64(numbers.count { $0 + add > maximum }))
    }

    // MARK: - Relationships

    private func teams(minimum: Int = 0, maximum: Int = 0, isRequired: Bool = false) throws -> TestStore {
        let person = entity("Person", [GeneratedStores.attribute("n", .integer16)])
        var team = RelationshipDescription(name: "team", destinationEntityName: "Team", inverseName: "members")
        var members = RelationshipDescription(
            name: "members", destinationEntityName: "Person", inverseName: "team", isToMany: true)
        let old = [
            EntityDescription(name: "Person", attributes: person.attributes, relationships: [team]),
            EntityDescription(name: "Team", attributes: [], relationships: [members]),
        ]
        team.isOptional = !isRequired
        members.minimumCount = minimum
        members.maximumCount = maximum
        let new = [
            EntityDescription(name: "Person", attributes: person.attributes, relationships: [team]),
            EntityDescription(name: "Team", attributes: [], relationships: [members]),
        ]
        return try TestStore(
            from: old, to: new,
            rows: """
                INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZN, ZTEAM) VALUES (1, 1, 1, 1, 1), (2, 1, 1, 2, 1),
                    (3, 1, 1, 3, 1), (4, 1, 1, 4, 2);
                INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
                """)
    }

    private static func teamModel(people: String?, relates: Bool) -> MappingModel {
        MappingModel(entityMappings: [
            EntityMapping(
                name: "People", type: .transform, sourceEntityName: "Person", destinationEntityName: "Person",
                relationshipMappings: [
                    relates
                        ? PropertyMapping(name: "team", isExpressionGenerated: true)
                        : PropertyMapping(name: "team", valueExpression: "NULL")
                ],
                sourceFilter: people),
            EntityMapping(
                name: "Teams", type: .transform, sourceEntityName: "Team", destinationEntityName: "Team",
                relationshipMappings: relates ? [] : [PropertyMapping(name: "members", valueExpression: "NULL")]),
        ])
    }

    /// A person left out leaves a team with too few; one that was too large before is only copied.
    @Test func numbersOfRelatedObjects() throws {
        let store = try teams(minimum: 2, maximum: 2)
        let model = Self.teamModel(people: "n != 3 AND n != 2", relates: true)
        let findings = try store.migrate(by: model, .report).findings.filter { $0.code.hasPrefix("invalid") }
        #expect(findings.map(\.code) == ["invalid-object", "invalid-object-copied"])
        #expect(findings.map(\.cocoaCode) == [1580, 1580] && findings.map(\.count) == [1, 1])
        #expect(findings.first?.examples == ["x-coredata://\(TestStore.uuid)/Team/p1"])
        #expect(findings.first?.values == ["1"])
    }

    /// Links that the mapping model takes over, and that were optional: a dry run says what the run would refuse.
    @Test(arguments: [nil, "n > 0"])
    func aDryRunFindsRequiredLinksThatTheSourceDoesNotHave(filter: String?) throws {
        let store = try teams(isRequired: true)
        try store.execute("UPDATE ZPERSON SET ZTEAM = NULL WHERE Z_PK > 2")
        let model = Self.teamModel(people: filter, relates: true)
        let plan = try store.plan(by: model, .refuse, isThorough: true)
        #expect(plan.isRefused)
        let finding = try #require(plan.findings.first { $0.cocoaCode == 1570 })
        #expect(finding.subject == "Person.team" && finding.count == 2)
        let error = #expect(throws: MigrationError.self) { try store.migrate(by: model, .refuse) }
        #expect(error?.cocoaCode == 1570)
    }

    /// Links to objects that do not exist have no counterpart: they are counted.
    @Test func linksToNothingAreReported() throws {
        // With a limit, the new version is another one.
        let store = try teams(maximum: 10)
        try store.execute("UPDATE ZPERSON SET ZTEAM = 999 WHERE Z_PK > 1")
        let model = Self.teamModel(people: "n > 0", relates: true)
        let dangling = try store.plan(by: model, .refuse, isThorough: true).findings.filter {
            $0.code == "dangling-reference"
        }
        #expect(dangling.map(\.count) == [3])
        #expect(dangling.map(\.subject) == ["Person.team"])
    }

    @Test func aRequiredLinkThatIsLeftEmpty() throws {
        let model = Self.teamModel(people: nil, relates: false)
        let refused = try teams(isRequired: true)
        let error = #expect(throws: MigrationError.self) { try refused.migrate(by: model, .refuse) }
        #expect(error?.cocoaCode == 1570)
        let store = try teams(isRequired: true)
        let findings = try store.migrate(by: model, .report).findings.filter { $0.cocoaCode == 1570 }
        #expect(findings.map(\.severity) == [.warning] && findings.map(\.count) == [4])
    }
}
