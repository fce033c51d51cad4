import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension MappedDataQuestions {
    /// Returns questions about objects to which several others lead by a relationship that is one-to-one in the new
    /// model, so that only one of them could keep it. No question is needed if the relationship was one-to-one before
    /// and each source object becomes one object.
    func sharedDestinations() throws -> [DataQuestion] {
        var result: [DataQuestion] = []
        for entity in builder.destination.model.entities {
            for relationship in entity.declaredRelationships
            where relationship.isOneToOne {
                if options.isThorough { result += try unknownLinks(relationship) }
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

    /// Returns a note that a dry run cannot determine whether several objects that are combined by their key lead to
    /// different objects, or the reverse.
    private func unknownLinks(_ relationship: ResolvedRelationship) throws -> [DataQuestion] {
        let subject = "\(builder.destination.model.entities[relationship.owner].name).\(relationship.name)"
        return try builder.mappings.compactMap { mapping in
            guard mapping.policy == nil, builder.destination.model.isKind(mapping.destination, of: relationship.owner),
                let link = try builder.toOneLink(relationship, in: mapping),
                // Objects that policies create are not examined here.
                mapping.mapping.identity != nil
                    || link.key.sql.contains("\(KeyTables.schema).\(PolicyRun.keyTable)")
            else { return nil }
            let old = try builder.takenOver(relationship, in: mapping)
            let column = old.flatMap { $0.isToMany ? nil : builder.source.column(.toOne($0.key)) }
            return DataQuestion(
                try rows(mapping), where: column.map { "s.\(SQLiteIdentifier.quoted($0.name)) IS NOT NULL" } ?? "1",
                telling: .none,
                MigrationFinding(
                    .warning, "data-not-checked", subject: subject,
                    message: "the relationship is one-to-one, and whether several objects lead to one is known only "
                        + "when those with equal keys are united (mapping \(mapping.name))"))
        }
    }

    /// Returns whether another mapping creates objects with the same relationship from the same source objects.
    private func isSplit(_ relationship: ResolvedRelationship, _ mapping: ResolvedEntityMapping) -> Bool {
        builder.mappings.contains { other in
            other.name != mapping.name && other.source == mapping.source
                && builder.destination.model.isKind(other.destination, of: relationship.owner)
        }
    }

    /// Returns the keys and entity numbers of the source objects, and the keys of the destinations; nil if they are
    /// known only during the run, or if each destination has one source.
    private func links(_ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping) throws -> String? {
        guard mapping.policy == nil, mapping.mapping.identity == nil,
            builder.destination.model.isKind(mapping.destination, of: relationship.owner),
            let link = try builder.toOneLink(relationship, in: mapping), !usesKeyTables(relationship, mapping)
        else { return nil }
        let old = try builder.takenOver(relationship, in: mapping)
        if let old, old.isOneToOne, !isSplit(relationship, mapping) { return nil }
        return "SELECT s.Z_PK AS p, s.Z_ENT AS e, \(link.key.sql) AS k \(try rows(mapping).query)"
    }
}
