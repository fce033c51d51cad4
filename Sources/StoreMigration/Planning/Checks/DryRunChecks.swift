import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// What a dry run looks for beyond what decides: faults that the data already have and that would go over.
struct DryRunChecks {
    let store: SQLiteStore
    let layout: StoreLayout

    func findings() throws(SQLiteError) -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        for entity in layout.model.entities {
            guard let table = layout.table(ofEntity: entity.slot) else { continue }
            result += try ranges(of: entity, table: SQLiteIdentifier.quoted(table.name))
            for relationship in entity.declaredRelationships
            where relationship.isStored && relationship.storage == .toOne {
                if let finding = try dangling(relationship, of: entity, table: table) { result.append(finding) }
            }
        }
        for table in layout.joinTables {
            if let finding = try dangling(table) { result.append(finding) }
        }
        return result
    }

    /// Integers outside the range of their type: Core Data would read another number.
    private func ranges(of entity: ResolvedEntity, table: String) throws(SQLiteError) -> [MigrationFinding] {
        let numbers = entity.subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
        var checks: [(name: String, condition: String, type: AttributeType)] = []
        for attribute in entity.declaredAttributes where attribute.isStored {
            guard let column = layout.column(.attribute(attribute.key)) else { continue }
            let name = "s." + SQLiteIdentifier.bare(column.name)
            if attribute.type == .boolean {
                checks.append((attribute.name, "\(name) NOT IN (0, 1)", .boolean))
            } else if let range = attribute.type.integerRange, attribute.type != .integer64 {
                checks.append(
                    (attribute.name, "\(name) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)", attribute.type))
            }
        }
        guard !checks.isEmpty else { return [] }
        let sums = checks.map { "sum(\($0.condition))" }.joined(separator: ", ")
        let rows = "FROM \(table) s WHERE s.Z_ENT IN (\(numbers))"
        let counts = try store.connection.rows("SELECT \(sums) \(rows)").first ?? []
        var result: [MigrationFinding] = []
        for (check, value) in zip(checks, counts) {
            guard let count = value.integer, count > 0 else { continue }
            result.append(
                MigrationFinding(
                    .warning, "value-out-of-range", cocoaCode: 1610, subject: "\(entity.name).\(check.name)",
                    message: "the stored number does not fit \(check.type.name); it is kept as it is, and Core Data "
                        + "will read another number: correct it first",
                    count: count,
                    examples: try store.examples("\(rows) AND \(check.condition)", ofEntity: entity.name)))
        }
        return result
    }

    private func dangling(
        _ relationship: ResolvedRelationship, of entity: ResolvedEntity, table: EntityTable
    ) throws(SQLiteError) -> MigrationFinding? {
        guard let column = layout.column(.toOne(relationship.key)),
            let target = layout.table(ofEntity: relationship.destination)
        else { return nil }
        let key = "s." + SQLiteIdentifier.bare(column.name)
        let from =
            "FROM \(SQLiteIdentifier.quoted(table.name)) s WHERE \(key) IS NOT NULL AND NOT EXISTS "
            + "(SELECT 1 FROM \(SQLiteIdentifier.quoted(target.name)) t WHERE t.Z_PK = \(key))"
        let objects = try store.concernedObjects(from, ofEntity: entity.name)
        guard objects.count > 0 else { return nil }
        return MigrationFinding(
            .warning, "dangling-reference", cocoaCode: 133000, subject: "\(entity.name).\(relationship.name)",
            message: "the destination object does not exist; the reference is kept as it is", count: objects.count,
            examples: objects.examples)
    }

    private func dangling(_ join: JoinTable) throws(SQLiteError) -> MigrationFinding? {
        let owner = layout.model.entities[join.relationship.owner]
        guard let relationship = owner.relationship(named: join.relationship.name),
            let ownerTable = layout.table(ofEntity: owner.slot),
            let target = layout.table(ofEntity: relationship.destination)
        else { return nil }
        func missing(_ column: String, _ table: EntityTable) -> String {
            "NOT EXISTS (SELECT 1 FROM \(SQLiteIdentifier.quoted(table.name)) t WHERE t.Z_PK = "
                + "j.\(SQLiteIdentifier.bare(column)))"
        }
        let count =
            try store.connection.value(
                "SELECT count(*) FROM \(SQLiteIdentifier.quoted(join.name)) j WHERE "
                    + "\(missing(join.ownerColumn, ownerTable)) OR \(missing(join.destinationColumn, target))"
            ).integer ?? 0
        guard count > 0 else { return nil }
        return MigrationFinding(
            .warning, "dangling-reference", cocoaCode: 133000, subject: "\(owner.name).\(relationship.name)",
            message: "rows of the join table \(join.name) lead to objects that do not exist; they are kept as they are",
            count: count)
    }
}
