import PersistentStores

/// Determines which indexes of a changed file are used for the new layout, and which are removed.
///
/// An index is identified by its columns, because names with old entity numbers survive in real stores
/// (docs/format/sqlite-store.md#indexes). Such an index is kept in a copy of its table, and removed if the result must
/// have the names of a new store.
struct IndexReconciliation {
    /// The names of required indexes that already exist, under any name.
    private(set) var satisfied: Set<String> = []

    /// Indexes on entity and join tables that the model no longer requires.
    private(set) var dropped: [SchemaObject] = []

    /// - Parameters:
    ///   - owned: the tables, in upper case, whose indexes are examined.
    ///   - excluded: the names of indexes that are always kept.
    ///   - demandsName: whether an index can only be used under the required name.
    init(
        schema: StoreSchema, wanted: [StoreIndex], renamedTables: [String: String] = [:],
        renamedColumns: [String: [String: String]] = [:], rebuiltTables: Set<String> = [], owned: Set<String>,
        excluded: Set<String> = [], demandsName: Bool = false
    ) {
        let wantedByTable = Dictionary(grouping: wanted, by: \.table)
        let wantedNames = Set(wanted.map(\.name))
        for object in schema.objects where object.kind == .index && owned.contains(object.table.uppercased()) {
            guard let sql = object.sql, !rebuiltTables.contains(object.table), !excluded.contains(object.name) else {
                continue
            }
            let statement = IndexStatement(sql).renaming(renamedColumns[object.table] ?? [:])
            let match = wantedByTable[renamedTables[object.table] ?? object.table]?.first { index in
                !satisfied.contains(index.name) && statement.columns != nil
                    && IndexStatement(index.createStatement) == statement
            }
            // The name must be free for the index that requires it.
            if let match, match.name == object.name || !(demandsName || wantedNames.contains(object.name)) {
                satisfied.insert(match.name)
            } else {
                dropped.append(object)
            }
        }
    }
}
