import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import Testing

/// Expressions that some data let fail: a dry run finds the object, and so does a run.
@Suite struct FailingExpressionTests {
    private static let old = [entity("Item", [attribute("text"), attribute("whole", .integer64)])]
    private static let new = [entity("Item", [attribute("label"), attribute("whole", .integer64)])]

    /// - Parameter faulty: the key of the object that expressions fail on.
    private static func store(_ keys: [Int64], faulty: Int64?) throws -> TestStore {
        try TestStore(
            from: old, to: new,
            rows: keys.map { key in
                "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZWHOLE) VALUES (\(key), 1, 1, "
                    + "\(key == faulty ? "'x', 9223372036854775807" : "'\(key % 7)', \(key % 7)"));\n"
            }.joined())
    }

    private static func mapping(_ name: String, _ expression: String, filter: String? = nil) -> MappingModel {
        MappingModel(entityMappings: [
            EntityMapping(
                name: "Items", type: .undefined, sourceEntityName: "Item", destinationEntityName: "Item",
                attributeMappings: [PropertyMapping(name: name, valueExpression: expression)], sourceFilter: filter)
        ])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name = "whole"
        let expression: String
        var filter: String?
        let message: String
        var testDescription: String { "\(expression) \(filter ?? "")" }
    }

    private static let cases = [
        Case(expression: "CAST($source.text, 'NSNumber')", message: "a string (\"x\") cannot be made a NSNumber"),
        Case(expression: "$source.whole + 1", message: "does not fit 64 bits"),
        Case(
            name: "label", expression: "TERNARY($source.whole > 100, 5, $source.text)",
            message: "convert it with CAST"),
        Case(expression: "1", filter: "CAST(text, 'NSNumber') >= 0", message: "cannot be made a NSNumber"),
    ]

    /// The first, the last, and some in between, also of keys that lie far apart.
    @Test(arguments: cases)
    func theObjectIsFound(example: Case) throws {
        for (keys, faulty) in [
            (Array(1...9), 1), (Array(1...9), 5), (Array(1...9), 9), ([3], 3), ([-4, 8, 1 << 40, .max], 1 << 40),
            ([-4, 8, 1 << 40, .max], .max), ([.min + 1, -4, .max], -4),
        ] as [([Int64], Int64)] {
            let store = try Self.store(keys, faulty: faulty)
            let mapping = Self.mapping(example.name, example.expression, filter: example.filter)
            let plan = try store.plan(by: mapping, .refuse, isThorough: true)
            let found = plan.findings.filter { $0.severity == .error }
            #expect(found.map(\.code) == ["expression-fails"] && plan.isRefused)
            #expect(found.map(\.subject) == [example.filter == nil ? "Items.\(example.name)" : "Items"])
            #expect(found.map(\.examples) == [["x-coredata://\(TestStore.uuid)/Item/p\(faulty)"]])
            #expect(found.allSatisfy { $0.message.contains(example.message) }, "\(found)")
            // The run, too, whether it is refused before it begins or not.
            let error = #expect(throws: MigrationError.self) { try store.migrate(by: mapping, .refuse) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(example.message) && text.contains("nothing has changed"), "\(text)")
            let named: Bool =
                switch error?.code {
                case .refused(let findings): findings.contains { $0.examples.contains { $0.hasSuffix("p\(faulty)") } }
                default: text.contains("/Item/p\(faulty)")
                }
            #expect(named, "\(text)")
        }
    }

    @Test(arguments: cases)
    func whatFailsOnNoObjectIsNotRefused(example: Case) throws {
        let store = try Self.store(Array(1...9), faulty: nil)
        let mapping = Self.mapping(example.name, example.expression, filter: example.filter)
        #expect(try store.plan(by: mapping, .refuse, isThorough: true).severity ?? .note == .note)
        try store.migrate(by: mapping, .refuse)
        #expect(try store.rows("SELECT count(*) FROM ZITEM") == ["9"])
    }

    /// More expressions than one question has: each of them is asked of, also the first and the last of a question.
    @Test(arguments: [0, 399, 400, 799, 800])
    func oneOfManyIsFound(faulty: Int) throws {
        let names = (0...800).map { "a\($0 + 1000)" }
        let store = try TestStore(
            from: Self.old, to: [entity("Item", names.map { attribute($0, .integer64) })],
            rows: (1...3).map { key in
                "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZWHOLE) VALUES (\(key), 1, 1, 'x', \(key));\n"
            }.joined())
        var mapping = Self.mapping(names[faulty], "CAST($source.text, 'NSNumber')")
        for name in names where name != names[faulty] {
            mapping.entityMappings[0].attributeMappings.append(
                PropertyMapping(name: name, valueExpression: "$source.whole * 2"))
        }
        let found = try store.plan(by: mapping, .refuse, isThorough: true).findings.filter { $0.severity == .error }
        #expect(found.map(\.subject) == ["Items.\(names[faulty])"])
        #expect(found.map(\.examples) == [["x-coredata://\(TestStore.uuid)/Item/p1"]])
    }

    /// Each of several that fail is named once, and what they compute is not asked for anything else.
    @Test func severalAreNamed() throws {
        let store = try Self.store(Array(1...20), faulty: 13)
        var mapping = Self.mapping("whole", "$source.whole * 2")
        mapping.entityMappings[0].attributeMappings.append(
            PropertyMapping(name: "label", valueExpression: "CAST(CAST($source.text, 'NSNumber') + 1, 'NSString')"))
        let plan = try store.plan(by: mapping, .refuse, isThorough: true)
        #expect(plan.findings.map(\.code) == ["expression-fails", "expression-fails"])
        #expect(plan.findings.compactMap(\.subject).sorted() == ["Items.label", "Items.whole"])
        #expect(plan.findings.flatMap(\.examples).allSatisfy { $0.hasSuffix("/Item/p13") })
    }
}
