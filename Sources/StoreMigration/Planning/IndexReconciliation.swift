import PersistentStores

/// Which indexes of a changed file serve the new layout, and which go.
///
/// An index serves by its columns, not by its name: names with old entity numbers survive in real stores (SPEC B.8).
struct IndexReconciliation {
    /// The names of wanted indexes that are there already, under whatever name.
    private(set) var satisfied: Set<String> = []

    /// Indexes on entity and join tables that the model does not call for any more.
    private(set) var dropped: [SchemaObject] = []

    init(
        schema: StoreSchema, wanted: [StoreIndex], renamedTables: [String: String],
        renamedColumns: [String: [String: String]], rebuiltTables: Set<String>, owned: Set<String>
    ) {
        for object in schema.objects where object.kind == .index && owned.contains(object.table.uppercased()) {
            guard let sql = object.sql, !rebuiltTables.contains(object.table) else { continue }
            let table = renamedTables[object.table] ?? object.table
            let columns = Self.columns(of: sql).map { name in
                let renamed = renamedColumns[object.table]?[name.name] ?? name.name
                return StoreIndex.Column(name: renamed, isAscending: name.isAscending)
            }
            let isUnique = sql.prefix(13).uppercased() == "CREATE UNIQUE"
            let isPartial = sql.uppercased().contains(" WHERE ")
            let match = wanted.first { index in
                index.table == table && index.isUnique == isUnique && !isPartial && !satisfied.contains(index.name)
                    && index.columns.count == columns.count
                    && zip(index.columns, columns).allSatisfy { $0.name == $1.name && $0.isAscending == $1.isAscending }
            }
            // The name must be free for the index that is wanted under it.
            if let match, match.name == object.name || !wanted.contains(where: { $0.name == object.name }) {
                satisfied.insert(match.name)
            } else {
                dropped.append(object)
            }
        }
    }

    /// The columns between the outermost parentheses of a CREATE INDEX statement as Core Data writes them.
    static func columns(of sql: String) -> [(name: String, isAscending: Bool)] {
        guard let open = sql.firstIndex(of: "("), let close = sql.lastIndex(of: ")"), open < close else { return [] }
        return sql[sql.index(after: open)..<close].split(separator: ",").map { part in
            let words = part.split(separator: " ").map(String.init)
            let name = (words.first ?? "").trimmingQuotes
            return (name, words.last?.uppercased() != "DESC")
        }
    }
}

extension String {
    fileprivate var trimmingQuotes: String {
        guard count > 1, let first, "\"'`[".contains(first) else { return self }
        return String(dropFirst().dropLast())
    }
}
