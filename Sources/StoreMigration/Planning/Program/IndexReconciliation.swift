import PersistentStores

/// Which indexes of a changed file serve the new layout, and which go.
///
/// An index is recognised by its columns: names with old entity numbers survive in real stores
/// (docs/format/sqlite-store.md#indexes). Such a one serves a copy of its table, and goes where the result is to have the
/// names of a new store.
struct IndexReconciliation {
    /// The names of wanted indexes that are there already, under whatever name.
    private(set) var satisfied: Set<String> = []

    /// Indexes on entity and join tables that the model does not call for any more.
    private(set) var dropped: [SchemaObject] = []

    /// - Parameters:
    ///   - owned: the tables, in upper case, whose indexes are looked at.
    ///   - excluded: the names of indexes that stay whatever they are.
    ///   - demandsName: whether an index serves only under the name that is wanted.
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
            // The name must be free for the index that is wanted under it.
            if let match, match.name == object.name || !(demandsName || wantedNames.contains(object.name)) {
                satisfied.insert(match.name)
            } else {
                dropped.append(object)
            }
        }
    }
}
