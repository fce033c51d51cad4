import ExternalPrograms
import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Composite attributes in mapping models and policies: each element is an attribute that is called by its path.
@Suite struct CompositeMappingTests {
    private static let measure = CompositeDescription(
        name: "Measure", elements: [attribute("height", .double), attribute("n", .integer16), attribute("unit")])

    private static func composite(_ name: String) -> AttributeDescription {
        AttributeDescription(name: name, type: .composite, isOptional: true, compositeName: "Measure")
    }

    private static func models(_ second: String, isNew: Bool) -> [EntityDescription] {
        [
            entity(
                "Part",
                [composite("size"), composite(second), attribute("label")] + (isNew ? [attribute("more")] : []),
                [
                    relationship("owner", to: "Part", inverse: "kids"),
                    relationship("kids", to: "Part", inverse: "owner", many: true),
                ])
        ]
    }

    /// Five rows, so that batches of two end in the middle.
    private static func store(to second: String = "other") throws -> TestStore {
        let old = models("other", isNew: false)
        let layout = LayoutPrediction.layout(
            of: try ResolvedModel(ManagedObjectModel(entities: old, composites: [measure])))
        let columns = layout.tables[0].columns.compactMap { column -> (String, (Int) -> String)? in
            guard case .attribute(let key) = column.role else { return nil }
            return (column.name, { value(key.name, $0) })
        }
        return try TestStore(
            from: old, to: models(second, isNew: true),
            rows: (1...5).map { row in
                "INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZOWNER, \(columns.map(\.0).joined(separator: ", "))) VALUES "
                    + "(\(row), 1, 1, \(row == 1 ? "NULL" : "1"), \(columns.map { $0.1(row) }.joined(separator: ", ")));\n"
            }.joined(), composites: [measure])
    }

    /// What an attribute has in a row, as SQL.
    private static func value(_ name: String, _ row: Int) -> String {
        if row == 4 { return "NULL" }
        let offset = name.hasPrefix("other") ? 10 : 0
        return switch name.split(separator: ".").last {
        case "height": "\(offset + row).5"
        case "n": "\(offset + row)"
        case "unit": "'\(offset + row)'"
        default: "'l\(row)'"
        }
    }

    private static func mapping(
        _ values: [(String, String?)], filter: String? = nil, policy: String? = nil
    ) -> MappingModel {
        MappingModel(entityMappings: [
            EntityMapping(
                name: "Parts", type: .undefined, sourceEntityName: "Part", destinationEntityName: "Part",
                attributeMappings: values.map { PropertyMapping(name: $0.0, valueExpression: $0.1) },
                sourceFilter: filter, migrationPolicyClassName: policy)
        ])
    }

    /// The values of attributes of the new version, row by row.
    private static func rows(_ names: [String], _ store: TestStore) throws -> [String] {
        let layout = LayoutPrediction.layout(of: store.destination.model)
        let columns = names.map { name in
            layout.tables[0].columns.first { column in
                if case .attribute(let key) = column.role { key.name == name } else { false }
            }?.name ?? "missing"
        }
        return try store.rows("SELECT \(columns.joined(separator: ", ")) FROM ZPART ORDER BY Z_PK")
    }

    private static let elements = ["size.height", "size.n", "size.unit"]
    private static let whole = ["1.5|1|1", "2.5|2|2", "3.5|3|3", "||", "5.5|5|5"]
    private static let others = ["11.5|11|11", "12.5|12|12", "13.5|13|13", "||", "15.5|15|15"]

    private static func options(_ writer: NewStoreWriter) -> MigrationOptions {
        var options = MigrationOptions(limits: BatchLimits(rows: 2), verifiesFully: true)
        options.writer = writer
        return options
    }

    @Test(arguments: [NewStoreWriter.sqlite, .auto])
    func elementsGoOver(writer: NewStoreWriter) throws {
        let store = try Self.store()
        let mapping = Self.mapping([("label", "'new ' + $source.size.unit")])
        try store.migrate(by: mapping, PolicyRegistry(), options: Self.options(writer))
        #expect(try Self.rows(Self.elements, store) == Self.whole)
        #expect(try Self.rows(["other.height", "other.n", "other.unit"], store) == Self.others)
        #expect(try Self.rows(["label"], store) == ["new 1", "new 2", "new 3", "", "new 5"])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let attribute: String
        let expression: String?
        let values: [String]
        var testDescription: String { "\(attribute): \(expression ?? "null")" }
    }

    /// What SQL computes, and what Swift does, over elements of an object and of others.
    @Test(arguments: [
        Case(attribute: "size.n", expression: "$source.size.n + 1", values: ["2", "3", "4", "", "6"]),
        Case(attribute: "size.n", expression: "$source.other.n", values: ["11", "12", "13", "", "15"]),
        Case(attribute: "size.n", expression: "$source.owner.size.n", values: ["", "1", "1", "1", "1"]),
        Case(attribute: "size.n", expression: "$source.kids.@sum.size.n", values: ["10", "0", "0", "0", "0"]),
        Case(
            attribute: "size.n", expression: "CAST($source.size.unit, 'NSNumber') * 2",
            values: ["2", "4", "6", "", "10"]),
        Case(
            attribute: "label", expression: "CAST(CAST($source.owner.other.unit, 'NSNumber'), 'NSString') + '!'",
            values: ["", "11!", "11!", "11!", "11!"]),
        Case(attribute: "size.unit", expression: nil, values: ["", "", "", "", ""]),
    ])
    func elementsAreComputed(example: Case) throws {
        for writer in [NewStoreWriter.sqlite, .auto] {
            let store = try Self.store()
            try store.migrate(
                by: Self.mapping([(example.attribute, example.expression)]), PolicyRegistry(),
                options: Self.options(writer))
            #expect(try Self.rows([example.attribute], store) == example.values)
            #expect(try Self.rows(["other.n", "size.height"], store).first == "11|1.5")
        }
    }

    @Test func aCompositeIsTakenAsAWhole() throws {
        let store = try Self.store(to: "second")
        try store.migrate(
            by: Self.mapping([("second", "$source.size"), ("size", "FUNCTION($source, 'valueForKey:', 'other')")]),
            .refuse)
        #expect(try Self.rows(["second.height", "second.n", "second.unit"], store) == Self.whole)
        #expect(try Self.rows(Self.elements, store) == Self.others)
    }

    @Test func aCompositeWithoutAnExpressionHasNoValues() throws {
        let store = try Self.store(to: "second")
        try store.migrate(by: Self.mapping([("size", nil), ("label", "'x'")]), .refuse)
        #expect(try Self.rows(Self.elements, store) == Array(repeating: "||", count: 5))
    }

    @Test(arguments: ["'text'", "$source.size.n", "$source.label"])
    func aCompositeTakesNothingElse(expression: String) throws {
        let plan = try Self.store().plan(by: Self.mapping([("size", expression)]), .refuse)
        #expect(plan.isRefused && plan.findings.map(\.subject).contains("Parts.size"))
    }

    @Test func filtersSeeElements() throws {
        let store = try Self.store()
        try store.migrate(
            by: Self.mapping([], filter: "size.height > 2 AND CAST(other.unit, 'NSNumber') < 15"), .refuse)
        #expect(try Self.rows(["size.n"], store) == ["2", "3"])
        #expect(try Self.store().plan(by: Self.mapping([], filter: "size == 2"), .refuse).isRefused)
    }

    private final class Measuring: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let part = try context.createDestinationInstance(for: source)
            try part.set("size.unit", to: .string("u\(source.integer("other.n") ?? 0)"))
        }

        override func value(
            ofMethod name: String, _ arguments: [AttributeValue?], for source: SourceObject,
            in context: MigrationContext
        ) throws -> AttributeValue? {
            arguments[0]
        }
    }

    @Test func policiesHaveElements() throws {
        let store = try Self.store()
        var policies = PolicyRegistry()
        policies.register(Measuring.self, as: "App.Measuring")
        let mapping = Self.mapping(
            [("label", "FUNCTION($entityPolicy, 'same:', $source.owner.size.unit)")], policy: "App.Measuring")
        try store.migrate(by: mapping, policies, options: Self.options(.auto))
        #expect(
            try Self.rows(Self.elements, store) == ["1.5|1|u11", "2.5|2|u12", "3.5|3|u13", "||u0", "5.5|5|u15"])
        #expect(try Self.rows(["label"], store) == ["", "1", "1", "1", "1"])
    }

    /// Answers with an element of the object, and with one of its owner as the label.
    private static let program = #"""
        read -r hello
        while read -r line; do
            case $line in '{"end"'*) echo "$line"; continue ;; esac
            s=${line#*:\"}; s=${s%%\"*}
            unit=null
            case $line in *'"other.n":'[0-9]*) unit=${line#*'"other.n":'}; unit="\"${unit%%[!0-9]*}\"" ;; esac
            owner=null
            case $line in *'"owner.size.n":'[0-9]*) owner=${line#*'"owner.size.n":'}; owner="\"${owner%%[!0-9]*}\"" ;; esac
            echo "{\"source\":\"$s\",\"attributes\":{\"size.unit\":$unit,\"label\":$owner}}"
        done
        """#

    @Test func programsHaveElements() throws {
        let store = try Self.store()
        let program = try store.directory.write(Self.program, to: "policy.sh")
        var policies = PolicyRegistry()
        policies.register(try #require(ExternalProgram("sh '\(program)'")), as: "App.Measuring")
        var mapping = Self.mapping([], policy: "App.Measuring")
        mapping.entityMappings[0].userInfo = ["ferry.related": "owner.size.n"]
        try store.migrate(by: mapping, policies, options: Self.options(.auto))
        #expect(try Self.rows(Self.elements, store) == ["1.5|1|11", "2.5|2|12", "3.5|3|13", "||", "5.5|5|15"])
        #expect(try Self.rows(["label"], store) == ["", "1", "1", "1", "1"])
    }
}
