import ImportMappings
import ManagedObjectModels
import RecordSources

/// A table of pairs as a many-to-many relationship.
struct JoinTableMatching {
    private(set) var mapping: SourceMapping?
    /// Why it is not one, although it looks like it.
    private(set) var reason: String?

    private static let orderWords: Set<String> = [
        "position", "order", "ordinal", "sort", "index", "idx", "rank", "sequence", "seq", "number",
    ]

    /// Returns whether a table has two foreign keys, and hardly any other columns.
    static func isCandidate(_ relation: SQLiteRelation) -> Bool {
        guard relation.foreignKeys.count == 2 else { return false }
        let keyColumns = Set(relation.foreignKeys.flatMap(\.columns))
        let rest = relation.columns.filter { !keyColumns.contains($0.name) }
        let isOwnKey = relation.primaryKey.count == 1 && rest.contains { $0.name == relation.primaryKey[0] }
        return rest.count <= (isOwnKey ? 2 : 1)
    }

    /// - Parameter pairs: a flat file as a table; nil for a table of a database.
    init(_ sample: SourceSample, pairs: SQLiteRelation? = nil, tables: [String: TablePlan], model: ResolvedModel) {
        guard let relation = pairs ?? sample.relation else { return }
        let others = relation.foreignKeys.map { tables[$0.relation.lowercased()] }
        guard let first = others[0], let second = others[1] else {
            reason = "it refers to a table that has no entity"
            return
        }
        let ends = [
            (first, second, relation.foreignKeys[0], relation.foreignKeys[1]),
            (second, first, relation.foreignKeys[1], relation.foreignKeys[0]),
        ]
        let order = relation.columns.first { column in
            NameWords(column.name).words.contains(where: Self.orderWords.contains)
                && !relation.foreignKeys.contains { $0.columns.contains(column.name) }
        }?.name
        let words = [NameWords(relation.name)] + relation.foreignKeys.flatMap(\.columns).map { NameWords($0) }
        var best: (relationship: ResolvedRelationship, end: Int, score: Int)?
        for (index, end) in ends.enumerated() {
            for candidate in end.0.entity.relationships where candidate.isStored && candidate.isToMany {
                guard model.isKind(end.1.entity.slot, of: candidate.destination) else { continue }
                let score = Self.score(candidate, words, end.3, hasOrder: order != nil)
                if best.map({ score > $0.score }) ?? true { best = (candidate, index, score) }
            }
        }
        guard let best else {
            reason = "\(first.entity.name) and \(second.entity.name) have no to-many for it"
            return
        }
        let end = ends[best.end]
        var joins = TableJoins(relation)
        guard let owner = joins.key(of: end.0, through: end.2), let target = joins.key(of: end.1, through: end.3) else {
            reason = "nothing tells the objects of \(end.0.entity.name) or \(end.1.entity.name) apart"
            return
        }
        var format = SourceFormat()
        if !joins.isEmpty {
            format.query = joins.query
        } else if sample.relation == nil {
            format = sample.format
        } else {
            format.table = relation.name
        }
        let parts = target.map { RelationshipMapping.KeyPart(attribute: $0.attribute, value: .column($0.column)) }
        mapping = SourceMapping(
            name: sample.relation == nil ? sample.fileName : relation.name, files: [sample.fileName], format: format,
            objects: [
                ObjectMapping(
                    entity: end.0.entity.name, key: owner.map(\.attribute), onMissing: .error,
                    attributes: owner.map { AttributeMapping(attribute: $0.attribute, value: .column($0.column)) },
                    relationships: [
                        RelationshipMapping(
                            relationship: best.relationship.name,
                            target: .key(RelationshipMapping.KeyTarget(parts: parts, missing: .required)), adds: true,
                            order: best.relationship.isOrdered ? order : nil)
                    ])
            ])
    }

    /// Returns how well a relationship matches: by the name of the table or of the column that leads to its objects, by
    /// an order if there is one, and by being many-to-many.
    private static func score(
        _ candidate: ResolvedRelationship, _ words: [NameWords], _ key: SQLiteRelation.ForeignKey, hasOrder: Bool
    ) -> Int {
        let name = NameWords(candidate.name).singular
        var score = candidate.inverse?.isToMany ?? false ? 4 : 0
        let target = key.columns.map { NameWords($0) }
        if target.contains(where: { $0.isSame(as: name) || $0.dropping(prefix: name) != nil }) { score += 3 }
        if words.contains(where: { $0.singular.words.suffix(name.words.count).elementsEqual(name.words) }) {
            score += 2
        }
        if hasOrder && candidate.isOrdered { score += 3 }
        return score
    }
}
