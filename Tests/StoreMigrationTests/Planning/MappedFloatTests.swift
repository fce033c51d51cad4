import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import StoreMigration
import TestSupport
import Testing

/// What a mapping model computes for a Float attribute is rounded to single precision when it becomes its value.
@Suite struct MappedFloatTests {
    private static func number(_ attributes: [AttributeDescription]) -> [EntityDescription] {
        [entity("Number", attributes)]
    }

    private static let old = number([
        attribute("decimal", .decimal), attribute("double", .double), attribute("isSet", .boolean),
        attribute("text"), attribute("whole", .integer64),
    ])
    private static let new = number([attribute("double", .double), attribute("single", .float)])

    /// Five rows, so that batches of two end in the middle.
    private static let doubles: [Double?] = [0.1, 451.86, nil, -1e-3, 33_554_435]

    private static let rows = doubles.enumerated().map { index, value in
        let values = value.map { "\($0), '\($0)'" } ?? "NULL, NULL"
        return "INSERT INTO ZNUMBER (Z_PK, Z_ENT, Z_OPT, ZDOUBLE, ZTEXT, ZDECIMAL, ZISSET, ZWHOLE) "
            + "VALUES (\(index + 1), 1, 1, \(values), \(index).7, 1, \(16_777_217 + index));\n"
    }.joined()

    enum Policy: CaseIterable { case none, byDefault }

    final class Nothing: EntityMigrationPolicy {}

    private func migrated(_ expression: String, _ policy: Policy, _ writer: NewStoreWriter) throws -> TestStore {
        let store = try TestStore(from: Self.old, to: Self.new, rows: Self.rows)
        let mapping = MappingModel(entityMappings: [
            EntityMapping(
                name: "Numbers", type: .undefined, sourceEntityName: "Number", destinationEntityName: "Number",
                attributeMappings: [
                    PropertyMapping(name: "single", valueExpression: expression),
                    PropertyMapping(name: "double", valueExpression: "$source.double"),
                ], migrationPolicyClassName: policy == .none ? nil : "App.Nothing")
        ])
        var policies = PolicyRegistry()
        policies.register(Nothing.self, as: "App.Nothing")
        var options = MigrationOptions(limits: BatchLimits(rows: 2), verifiesFully: true)
        (options.writer, options.readers) = (writer, writer == .auto ? 2 : 1)
        try store.migrate(by: mapping, policies, options: options)
        return store
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let expression: String
        let values: [Float?]
        var testDescription: String { expression }
    }

    /// Other attributes, sums, constants, integers, decimals, and what only Swift can compute.
    @Test(
        arguments: [
            Case(expression: "$source.double", values: doubles.map { $0.map { Float($0) } }),
            Case(expression: "$source.double * 3 + 0.2", values: doubles.map { $0.map { Float($0 * 3 + 0.2) } }),
            Case(expression: "0.1", values: [0.1, 0.1, 0.1, 0.1, 0.1]),
            Case(
                expression: "$source.whole", values: [16_777_216, 16_777_218, 16_777_220, 16_777_220, 16_777_220]),
            Case(expression: "$source.decimal", values: [0.7, 1.7, 2.7, 3.7, 4.7]),
            Case(
                expression: "$source.decimal / 3",
                values: [0.7, 1.7, 2.7, 3.7, 4.7].map { (number: Double) in Float(number / 3) }),
            Case(expression: "$source.isSet", values: [1, 1, 1, 1, 1]),
            Case(
                expression: "CAST($source.text, 'NSNumber')", values: doubles.map { $0.map { Float($0) } }),
        ], [Policy.none, .byDefault])
    func aFloatIsStoredInSinglePrecision(example: Case, policy: Policy) throws {
        for writer in [NewStoreWriter.sqlite, .auto] {
            let store = try migrated(example.expression, policy, writer)
            let stored = try Connection(path: store.path, access: .readOnly)
                .rows("SELECT ZSINGLE FROM ZNUMBER ORDER BY Z_PK").map { $0[0].real }
            #expect(stored == example.values.map { $0.map { Double($0) } })
            // The neighbour keeps its digits.
            let neighbours = try Connection(path: store.path, access: .readOnly)
                .rows("SELECT ZDOUBLE FROM ZNUMBER ORDER BY Z_PK").map { $0[0].real }
            #expect(neighbours == Self.doubles)
        }
    }
}
