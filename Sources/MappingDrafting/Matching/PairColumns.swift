import ManagedObjectModels
import RecordSources

/// A flat file of pairs, recognized by its names alone: two columns have the names of keys of objects from other
/// sources.
struct PairColumns {
    /// The file as a table with foreign keys.
    private(set) var relation: SQLiteRelation?

    /// Two columns, and possibly a third one for the order.
    private static let columnCounts = 2...3

    /// - Parameter tables: the other sources, by the names of their records.
    init(_ sample: SourceSample, tables: [String: TablePlan]) {
        let names = sample.records.fields.map(\.name)
        guard sample.relation == nil, Self.columnCounts.contains(names.count) else { return }
        var keys: [SQLiteRelation.ForeignKey] = []
        for name in names {
            guard
                let plan = tables.values.sorted(by: { $0.relation.name < $1.relation.name }).first(where: { plan in
                    Self.isKey(NameWords(name), of: plan) && !keys.contains { $0.relation == plan.relation.name }
                }), let key = plan.key.first, let column = plan.columns[key]
            else { continue }
            keys.append(
                SQLiteRelation.ForeignKey(columns: [name], relation: plan.relation.name, referencedColumns: [column]))
        }
        guard keys.count == 2 else { return }
        let pairs = SQLiteRelation(sample.title, columns: names, foreignKeys: keys)
        if JoinTableMatching.isCandidate(pairs) { relation = pairs }
    }

    /// Returns whether a column has the name of a source's objects, possibly with their key: `tag`, `tag_id`,
    /// `tagCode`.
    private static func isKey(_ column: NameWords, of plan: TablePlan) -> Bool {
        guard plan.key.count == 1, let key = plan.key.first else { return false }
        return [NameWords(plan.entity.name), NameWords(plan.relation.name).singular].contains { name in
            if column.isSame(as: name) { return true }
            guard let rest = column.dropping(prefix: name) else { return false }
            return rest.isSame(as: NameWords(key)) || plan.columns[key].map { rest.isSame(as: NameWords($0)) } ?? false
                || DestinationKeys.identifiers.contains(rest.joined)
        }
    }
}
