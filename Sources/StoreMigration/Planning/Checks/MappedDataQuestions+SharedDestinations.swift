import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension MappedDataQuestions {
    /// Objects that several others lead to by a relationship which is one-to-one in the new model: only one of these could
    /// keep it. Nothing needs to be asked where it was one-to-one before.
    func sharedDestinations() throws -> [DataQuestion] {
        var result: [DataQuestion] = []
        for entity in builder.destination.model.entities {
            for relationship in entity.declaredRelationships
            where relationship.isStored && isOneToOne(relationship) {
                let selections = try builder.mappings.compactMap { try self.links(relationship, in: $0) }
                guard !selections.isEmpty else { continue }
                let pairs = UnionAll.sql(selections, columns: "p, e, k")
                let query =
                    "SELECT min(p), e, count(*) FROM (\(pairs)) WHERE k IS NOT NULL GROUP BY k HAVING count(*) > 1"
                result.append(
                    DataQuestion(
                        [.groups(query, builder.source)],
                        MigrationFinding(
                            .error, "several-sources", cocoaCode: 134110,
                            subject: "\(entity.name).\(relationship.name)",
                            message: "the relationship is one-to-one now, and several objects lead to one destination; "
                                + "take their links away in the data, or give the inverse an expression with "
                                + "\"choose: first\" and this relationship none")))
            }
        }
        return result
    }

    private func isOneToOne(_ relationship: ResolvedRelationship) -> Bool {
        guard !relationship.isToMany, let inverse = relationship.inverse else { return false }
        return !inverse.isToMany && !inverse.isTransient
    }

    /// The keys and entity numbers of the source objects, and the keys of the destinations; nil if they are known only
    /// during the run, or each destination has one source.
    private func links(_ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping) throws -> String? {
        guard mapping.policy == nil, mapping.mapping.identity == nil,
            builder.destination.model.isKind(mapping.destination, of: relationship.owner),
            let link = try builder.toOneLink(relationship, in: mapping), !usesKeyTables(relationship, mapping)
        else { return nil }
        let old = try builder.takenOver(relationship, in: mapping)
        if let old, isOneToOne(old) { return nil }
        return "SELECT s.Z_PK AS p, s.Z_ENT AS e, \(link.key.sql) AS k \(try rows(mapping).query)"
    }
}
