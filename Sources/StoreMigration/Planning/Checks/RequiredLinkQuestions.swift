import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Objects that get no destination for a relationship which is required now: Core Data's own migration fails for them, as
/// it does for attributes. Here they go over, so that the store can be opened and mended.
struct RequiredLinkQuestions {
    let builder: TransferBuilder

    var questions: [DataQuestion] {
        var result: [DataQuestion] = []
        for entity in builder.destinationModel.entities where !entity.isAbstract {
            guard let rows = builder.correspondence.sourceSlot[entity.slot].flatMap(builder.rows) else { continue }
            for relationship in entity.relationships where relationship.isStored && !relationship.isOptional {
                // A required to-many without a minimum may have none.
                guard let rule = CountRule(relationship), rule.minimum > 0,
                    let absence = absence(of: relationship, in: entity.slot)
                else { continue }
                result.append(
                    DataQuestion(
                        rows, where: absence.isEmpty ? "1" : absence.joined(separator: " AND "),
                        MigrationFinding(
                            .warning, "missing-relationship", cocoaCode: 134110,
                            subject: "\(entity.name).\(relationship.name)",
                            message:
                                "the relationship is required now, and it has no object: Core Data's own migration "
                                + "fails (missing attribute values on mandatory destination relationship), and no save "
                                + "takes these objects; make it optional, or link them with a custom mapping model")))
            }
        }
        return result
    }

    /// The conditions that a source row `s` brings no link into a relationship; nil if it was required before, and
    /// what it lacks is not a fault of the migration.
    private func absence(of relationship: ResolvedRelationship, in slot: Int) -> [String]? {
        if let old = builder.correspondence.sourceRelationship(for: relationship.name, in: slot), old.isStored {
            guard old.isOptional else { return nil }
            return [builder.links(old)].compactMap { $0 }.map { missing($0, $0.owner) }
        }
        // A new relationship takes its links from its inverse.
        return relationship.inverse.map { inverse in
            builder.sourceCounterparts(of: inverse.key).compactMap { counterpart in
                builder.keptLinks(counterpart, from: relationship.destination, to: slot)
            }.map { missing($0, $0.destination) }
        } ?? []
    }

    private func missing(_ links: SourceLinks, _ end: String) -> String {
        var links = links
        links.conditions.append("\(end) = s.Z_PK")
        return "NOT EXISTS (SELECT 1 \(links.fromWhere))"
    }
}
