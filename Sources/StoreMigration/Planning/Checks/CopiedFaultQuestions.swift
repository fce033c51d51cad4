import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The additional questions of a dry run: faults that the data already have, and that would be copied.
struct CopiedFaultQuestions {
    let layout: StoreLayout

    var questions: [DataQuestion] {
        var result: [DataQuestion] = []
        for entity in layout.model.entities {
            guard let table = layout.table(ofEntity: entity.slot) else { continue }
            result += ranges(of: entity, table: SQLiteIdentifier.quoted(table.name))
            for relationship in entity.declaredRelationships
            where relationship.isStored && relationship.storage == .toOne {
                if let question = dangling(relationship, of: entity, table: table) { result.append(question) }
            }
        }
        return result + layout.joinTables.compactMap(dangling)
    }

    /// Integers outside the range of their type, which Core Data would read as other numbers.
    private func ranges(of entity: ResolvedEntity, table: String) -> [DataQuestion] {
        let numbers = entity.subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
        let rows = SourceRows(query: "FROM \(table) s WHERE s.Z_ENT IN (\(numbers))", entity: entity.name)
        return entity.declaredAttributes.filter(\.isStored).compactMap { attribute in
            guard let column = layout.column(.attribute(attribute.key)) else { return nil }
            let name = "s." + SQLiteIdentifier.bare(column.name)
            let condition: String
            if attribute.type == .boolean {
                condition = "\(name) NOT IN (0, 1)"
            } else if let range = attribute.type.integerRange, attribute.type != .integer64 {
                condition = "\(name) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)"
            } else {
                return nil
            }
            return DataQuestion(
                rows, where: condition,
                MigrationFinding(
                    .warning, "value-out-of-range", cocoaCode: 1610, subject: "\(entity.name).\(attribute.name)",
                    message: "the stored number does not fit \(attribute.type.name); it is kept as it is, and Core "
                        + "Data will read another number: correct it first"))
        }
    }

    private func dangling(
        _ relationship: ResolvedRelationship, of entity: ResolvedEntity, table: EntityTable
    ) -> DataQuestion? {
        guard let column = layout.column(.toOne(relationship.key)),
            let target = layout.table(ofEntity: relationship.destination)
        else { return nil }
        let key = "s." + SQLiteIdentifier.bare(column.name)
        return DataQuestion(
            SourceRows(query: "FROM \(SQLiteIdentifier.quoted(table.name)) s WHERE 1", entity: entity.name),
            where: "\(key) IS NOT NULL AND NOT EXISTS "
                + "(SELECT 1 FROM \(SQLiteIdentifier.quoted(target.name)) t WHERE t.Z_PK = \(key))",
            MigrationFinding(
                .warning, "dangling-reference", cocoaCode: 133000, subject: "\(entity.name).\(relationship.name)",
                message: "the destination object does not exist; the reference is kept as it is"))
    }

    private func dangling(_ join: JoinTable) -> DataQuestion? {
        let owner = layout.model.entities[join.relationship.owner]
        guard let relationship = owner.relationship(named: join.relationship.name),
            let ownerTable = layout.table(ofEntity: owner.slot),
            let target = layout.table(ofEntity: relationship.destination)
        else { return nil }
        func missing(_ column: String, _ table: EntityTable) -> String {
            "NOT EXISTS (SELECT 1 FROM \(SQLiteIdentifier.quoted(table.name)) t WHERE t.Z_PK = "
                + "j.\(SQLiteIdentifier.bare(column)))"
        }
        return DataQuestion(
            SourceRows(query: "FROM \(SQLiteIdentifier.quoted(join.name)) j WHERE 1", entity: owner.name),
            where: "\(missing(join.ownerColumn, ownerTable)) OR \(missing(join.destinationColumn, target))",
            telling: .count,
            MigrationFinding(
                .warning, "dangling-reference", cocoaCode: 133000, subject: "\(owner.name).\(relationship.name)",
                message: "rows of the join table \(join.name) lead to objects that do not exist; they are kept as they "
                    + "are"))
    }
}
