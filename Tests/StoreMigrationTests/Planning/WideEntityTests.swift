import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Entities as wide as SQLite allows, and wider.
@Suite struct WideEntityTests {
    private static func attributes(_ count: Int) -> [AttributeDescription] {
        (0..<count).map { attribute("a\($0)", .integer16) }
    }

    @Test(arguments: TestStore.placements)
    func moreThanAThousandAttributesGo(placement: MigrationPlacement) throws {
        let wide = [entity("Wide", Self.attributes(1200))]
        // More conditions at once than an expression may be deep.
        let narrow = [entity("Wide", Self.attributes(1))]
        let shrinking = try TestStore(
            from: wide, to: narrow, rows: "INSERT INTO ZWIDE (Z_PK, Z_ENT, ZA0) VALUES (1, 1, 5)")
        #expect(try !shrinking.plan(placement, isThorough: true).isRefused)
        try shrinking.migrate(placement)
        #expect(try shrinking.rows("SELECT * FROM ZWIDE") == ["1|1||5"])
    }

    @Test(.long) func moreThanSQLiteAllowsIsRefused() throws {
        let store = try TestStore(
            from: [entity("Wide", Self.attributes(1))], to: [entity("Wide", Self.attributes(10_000))])
        let plan = try store.plan()
        #expect(plan.isRefused)
        #expect(plan.findings.map(\.code) == ["too-many-columns"])
    }
}
