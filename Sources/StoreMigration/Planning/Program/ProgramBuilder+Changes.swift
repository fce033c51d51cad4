import PersistentStores

extension ProgramBuilder {
    /// Returns the changes of the entity tables, by destination table.
    func changes() -> [(transfer: TableTransfer, change: TableChange?)] {
        let transfers = transfer.tables
        let uses = Dictionary(transfers.compactMap { $0.source?.name }.map { ($0, 1) }, uniquingKeysWith: +)
        return transfers.map { transfer in
            guard let source = transfer.source, let existing = schema.table(named: source.name) else {
                return (transfer, nil)
            }
            if uses[source.name, default: 0] > 1 {
                return (transfer, .rebuilt(reason: "the hierarchy of \(source.name) is split"))
            }
            if let constraint = Self.staleConstraint(of: existing, schema: schema, destination: destination) {
                return (transfer, .rebuilt(reason: constraint))
            }
            return (transfer, TableChange(transfer, from: existing))
        }
    }

    /// Returns a uniqueness constraint in CREATE TABLE, as Core Data once wrote them
    /// (docs/format/sqlite-store.md#indexes), which cannot be dropped.
    private static func staleConstraint(
        of table: SchemaTable, schema: StoreSchema, destination: StoreLayout
    ) -> String? {
        table.sql.uppercased().contains(" UNIQUE ") ? "its uniqueness constraint is part of the table" : nil
    }
}
