import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Questions about objects that get no destination for a relationship that is now required. Core Data's own migration
/// fails for them, as it does for attributes. Here they are migrated, so that the store can be opened and corrected.
struct RequiredLinkQuestions {
    let builder: TransferBuilder

    var questions: [DataQuestion] {
        var result: [DataQuestion] = []
        for entity in builder.destinationModel.entities where !entity.isAbstract {
            guard let rows = builder.correspondence.sourceSlot[entity.slot].flatMap(builder.rows) else { continue }
            for relationship in entity.relationships where relationship.isStored && !relationship.isOptional {
                // A required to-many relationship without a minimum may be empty.
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

    /// Returns the conditions under which a source row `s` brings no link into a relationship; nil if the relationship
    /// was required before, so that missing links are not caused by the migration.
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
