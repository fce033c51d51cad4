import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import Testing

/// Decimals that policies give, of which a store keeps what a double has.
@Suite struct PolicyDecimalTests {
    private static let prices = [
        "1.23456789012345678901234567890123456789", "12345678901234567890123", "0.1", "1e22", "123456789012345678",
        "0.1234567890123456", "100.00000000000000000000", "-0.10000000000000000001",
    ]

    private final class Pricing: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            let book = try context.createDestinationInstance(for: source)
            try book.set("price", to: .decimal(PolicyDecimalTests.prices[Int(source.objectID.primaryKey) - 1]))
        }
    }

    @Test func decimalsWithMoreDigitsThanAStoreKeepsAreCounted() throws {
        let rows = Self.prices.indices.map { "(\($0 + 1), 1, 1, 7)" }.joined(separator: ", ")
        let store = try TestStore(
            from: [entity("Book", [attribute("price", .decimal)])],
            to: [entity("Book", [attribute("label"), attribute("price", .decimal)])],
            rows: "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPRICE) VALUES \(rows)")
        var policies = PolicyRegistry()
        policies.register(Pricing.self, as: "Tests.Pricing")
        let mapping = MappingModel(entityMappings: [
            EntityMapping(
                name: "Books", type: .undefined, sourceEntityName: "Book", destinationEntityName: "Book",
                migrationPolicyClassName: "App.Pricing")
        ])
        let report = try store.migrate(by: mapping, policies, options: MigrationOptions(limits: BatchLimits(rows: 2)))
        let found = report.findings.filter { $0.code == "decimal-rounded" }
        #expect(
            found.map { "\($0.severity.rawValue) \($0.subject ?? "") \($0.count ?? 0)" } == ["warning Book.price 3"])
        #expect(found.flatMap(\.examples).map { $0.suffix(3) } == ["/p1", "/p2", "/p8"])
        #expect(found.first?.values == [Self.prices[0], Self.prices[1], Self.prices[7]])
        #expect(
            try store.rows("SELECT CAST(ZPRICE AS REAL) FROM ZBOOK ORDER BY Z_PK")
                == Self.prices.map { "\(try #require(Double($0)))" })
    }
}
