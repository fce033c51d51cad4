import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// The parts of the source's data that have no place in the destination: removed entities and properties.
struct DroppedData {
    let store: SQLiteStore
    let layout: StoreLayout
    let correspondence: ModelCorrespondence

    private var source: ResolvedModel { correspondence.source }

    /// - Parameter countsRows: whether objects are counted; findings that apply to no object are left out then.
    func findings(countsRows: Bool) throws(SQLiteError) -> [MigrationFinding] {
        if !source.entities.isEmpty, correspondence.destinationSlot.allSatisfy({ $0 == nil }) {
            return [
                MigrationFinding(
                    .error, "no-common-entity",
                    message: "the destination has no entity that continues one of the store's, so that every object "
                        + "would be dropped; name the right version with --to, give entities renaming identifiers, or "
                        + "write a mapping model")
            ]
        }
        var result: [MigrationFinding] = []
        for entity in source.entities {
            if let finding = try correspondence.destinationSlot[entity.slot] == nil
                ? objects(of: entity, counts: countsRows) : values(of: entity, counts: countsRows)
            {
                result.append(finding)
            }
        }
        return result
    }

    private func objects(of entity: ResolvedEntity, counts: Bool) throws(SQLiteError) -> MigrationFinding? {
        if entity.isAbstract { return nil }
        let count = try count(of: [entity.slot], where: "1", counts)
        if counts, count == nil { return nil }
        return MigrationFinding(
            .note, "objects-dropped", subject: entity.name,
            message: "the entity is removed, and its objects are dropped", count: count)
    }

    /// Properties are reported once, for the entity that declares them or, if that entity is removed, for each
    /// subentity.
    private func values(of entity: ResolvedEntity, counts: Bool) throws(SQLiteError) -> MigrationFinding? {
        func isReported(_ owner: Int) -> Bool {
            owner == entity.slot || correspondence.destinationSlot[owner] == nil
        }
        let attributes = entity.attributes.filter {
            $0.isStored && isReported($0.owner)
                && correspondence.destinationAttribute(for: $0.name, in: entity.slot) == nil
        }
        let relationships = entity.relationships.filter {
            $0.isStored && isReported($0.owner)
                && correspondence.destinationRelationship(for: $0.name, in: entity.slot) == nil
        }
        let names = attributes.map(\.name) + relationships.map(\.name)
        guard !names.isEmpty else { return nil }
        let columns =
            attributes.map { layout.column(.attribute($0.key)) }
            + relationships.map { $0.storage == .toOne ? layout.column(.toOne($0.key)) : nil }
        let conditions = columns.compactMap { $0 }.map { "s.\(SQLiteIdentifier.bare($0.name)) IS NOT NULL" }
        var count: Int64?
        if !conditions.isEmpty {
            count = try self.count(of: entity.subtree, where: Disjunction.sql(conditions), counts)
            // No value was ever stored in any of them. Links without a column cannot be examined here.
            if counts, count == nil, conditions.count == names.count { return nil }
        }
        return MigrationFinding(
            .note, "values-dropped", subject: entity.name,
            message: "without a place in the destination, and dropped: \(names.sorted().joined(separator: ", "))",
            count: count)
    }

    /// Returns the number of objects; nil if there are none, or if they are not counted.
    private func count(
        of slots: some Sequence<Int>, where condition: String, _ counts: Bool
    ) throws(SQLiteError) -> Int64? {
        let slots = Array(slots)
        guard counts, let first = slots.first, let table = layout.table(ofEntity: first) else { return nil }
        let numbers = slots.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
        let count =
            try store.connection.value(
                "SELECT count(*) FROM \(SQLiteIdentifier.quoted(table.name)) s "
                    + "WHERE s.Z_ENT IN (\(numbers)) AND (\(condition))"
            ).integer ?? 0
        return count > 0 ? count : nil
    }
}
