import Testing

@testable import PersistentStores
@testable import StoreMigration

@Suite struct IndexReconciliationTests {
    private func reconcile(_ sql: String) -> IndexReconciliation {
        let wanted = StoreIndex(
            name: "Z_Note_byText", table: "ZNOTE", columns: [.init(name: "ZTEXT", isExplicit: true)])
        let object = SchemaObject(kind: .index, name: "there", table: "ZNOTE", sql: sql)
        return IndexReconciliation(
            schema: StoreSchema(tables: [], objects: [object]), wanted: [wanted], owned: ["ZNOTE"])
    }

    @Test(arguments: [
        "CREATE INDEX there ON ZNOTE (ZTEXT)", "CREATE INDEX there ON ZNOTE (ZTEXT COLLATE BINARY ASC)",
        "create index \"the (re\" on \"ZNOTE\"(\"ZTEXT\" collate binary)", "CREATE INDEX there ON ZNOTE ( [ZTEXT] )",
    ])
    func anIndexServesByItsColumns(sql: String) {
        #expect(reconcile(sql).satisfied == ["Z_Note_byText"])
    }

    @Test(arguments: [
        "CREATE INDEX there ON ZNOTE (ZTEXT COLLATE NOCASE ASC)", "CREATE INDEX there ON ZNOTE (ZTEXT DESC)",
        "CREATE INDEX there ON ZNOTE (ZTEXT) WHERE ZTEXT IS NOT NULL", "CREATE UNIQUE INDEX there ON ZNOTE (ZTEXT)",
        "CREATE INDEX there ON ZNOTE (lower(ZTEXT))", "CREATE INDEX there ON ZNOTE (ZTEXT || 'x')",
        "CREATE INDEX there ON ZNOTE (ZTEXT, ZDATE)", "CREATE INDEX there ON ZNOTE (\"ZTEXT, ZDATE\")",
        "CREATE INDEX there ON ZNOTE (\"ZTEXT", "CREATE INDEX there",
    ])
    func anIndexThatSortsOrKeepsOtherThingsDoesNotServe(sql: String) {
        let reconciliation = reconcile(sql)
        #expect(reconciliation.satisfied == [])
        #expect(reconciliation.dropped.map(\.name) == ["there"])
    }
}
