import ImportMappings
import ManagedObjectModels
import RecordSources

/// A table of a database, with the entity of its rows.
struct TablePlan {
    let relation: SQLiteRelation
    let entity: ResolvedEntity
    /// The columns of the entity's attributes.
    let columns: [String: String]
    /// The attributes that identify the objects.
    let key: [String]
}

/// The column with a value of another table's key, in the table itself or joined to it.
struct KeyColumn {
    let attribute: String
    let column: String
}

/// Converts the foreign keys of a table to relationships.
struct TableReferences {
    private(set) var relationships: [RelationshipMapping] = []
    private(set) var usedColumns: Set<String> = []
    /// The columns of the foreign keys that became relationships.
    private(set) var keyColumns: [(relationship: String, columns: [String])] = []
    private(set) var notes: [String] = []
    /// The query that joins the keys of the other objects; nil if the table itself contains them all.
    var query: String? { joins.isEmpty ? nil : joins.query }

    private var joins: TableJoins

    init(_ plan: TablePlan, tables: [String: TablePlan], model: ResolvedModel) {
        joins = TableJoins(plan.relation)
        for key in plan.relation.foreignKeys {
            let name = key.columns.joined(separator: ", ")
            guard let other = tables[key.relation.lowercased()] else {
                notes.append("\(name): refers to the table \(key.relation), which has no entity")
                // Numbers of rows that are not imported are not keys.
                usedColumns.formUnion(key.columns)
                continue
            }
            guard let relationship = relationship(for: key, plan.entity, other, model) else {
                notes.append("\(name): refers to \(key.relation), and \(plan.entity.name) has no to-one for it")
                continue
            }
            usedColumns.formUnion(key.columns)
            guard let parts = joins.key(of: other, through: key) else {
                notes.append("\(relationship.name): \(name)")
                notes.append("  not mapped: nothing tells the objects of \(other.entity.name) apart; give them a key")
                continue
            }
            let target = RelationshipMapping.KeyTarget(
                parts: parts.map { RelationshipMapping.KeyPart(attribute: $0.attribute, value: .column($0.column)) })
            relationships.append(RelationshipMapping(relationship: relationship.name, target: .key(target)))
            keyColumns.append((relationship.name, key.columns))
        }
    }

    /// Returns the to-one relationship with the name of the key's column, otherwise the only one to that entity.
    private func relationship(
        for key: SQLiteRelation.ForeignKey, _ entity: ResolvedEntity, _ other: TablePlan, _ model: ResolvedModel
    ) -> ResolvedRelationship? {
        let candidates = entity.relationships.filter { candidate in
            candidate.isStored && !candidate.isToMany && model.isKind(other.entity.slot, of: candidate.destination)
                && !relationships.contains { $0.relationship == candidate.name }
        }
        let names = key.columns.map { NameWords($0) }
        let named = candidates.first { candidate in
            let own = NameWords(candidate.name)
            return names.contains { $0.isSame(as: own) || $0.dropping(prefix: own) != nil }
        }
        return named ?? (candidates.count == 1 ? candidates[0] : nil)
    }
}
