import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Asks the source's rows what inference cannot know: what of the data would break, and where.
struct DataChecks {
    let store: SQLiteStore
    let builder: TransferBuilder

    /// How many objects a finding names.
    static let exampleCount = 3

    private var connection: Connection { store.connection }
    private var destination: ResolvedModel { builder.destinationModel }

    /// Findings for the failures that depend on data: errors where rows are concerned, none where not.
    func findings(for failures: [InferenceFailure]) throws(SQLiteError) -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        for failure in failures where failure.isDataDependent {
            if let finding = try finding(for: failure) { result.append(finding) }
        }
        return result
    }

    private func finding(for failure: InferenceFailure) throws(SQLiteError) -> MigrationFinding? {
        guard let slot = destination.slot(named: failure.entity), let sourceSlot = builder.correspondence.sourceSlot[slot],
            let table = builder.source.table(ofEntity: sourceSlot)
        else { return nil }
        let entity = destination.entities[slot]
        let number = builder.source.entityNumbers[sourceSlot]
        let source = SQLiteIdentifier.quoted(table.name)
        switch failure.code {
        case .newAttributeWithoutDefault, .becameAbstract:
            return try finding(failure, sourceSlot, "FROM \(source) s WHERE s.Z_ENT = \(number)")
        case .requiredWithoutDefault:
            guard let name = failure.property,
                let old = builder.correspondence.sourceAttribute(for: name, in: slot),
                let column = builder.source.column(.attribute(old.key))?.name
            else { return nil }
            return try finding(
                failure, sourceSlot,
                "FROM \(source) s WHERE s.Z_ENT = \(number) AND s.\(SQLiteIdentifier.bare(column)) IS NULL")
        case .newUniquenessConstraint(let properties):
            return try duplicates(failure, entity: entity, properties: properties)
        case .destinationNarrowed:
            guard let name = failure.property, let relationship = entity.relationship(named: name) else { return nil }
            return try narrowed(failure, relationship: relationship, slot: slot, sourceSlot: sourceSlot)
        case .severalSources:
            guard let name = failure.property, let relationship = entity.relationship(named: name) else { return nil }
            return try severalSources(failure, relationship: relationship)
        default:
            return nil
        }
    }

    /// Counts rows and names some.
    private func finding(
        _ failure: InferenceFailure, _ sourceSlot: Int, _ from: String
    ) throws(SQLiteError) -> MigrationFinding? {
        let count = try connection.value("SELECT count(*) \(from)").integer ?? 0
        guard count > 0 else { return nil }
        let keys = try connection.rows("SELECT s.Z_PK \(from) ORDER BY 1 LIMIT \(Self.exampleCount)")
        return error(failure, count: count, examples: keys.compactMap { $0[0].integer }.map { uri(sourceSlot, $0) })
    }

    private func error(_ failure: InferenceFailure, count: Int64, examples: [String]) -> MigrationFinding {
        MigrationFinding(
            .error, failure.findingCode, cocoaCode: failure.cocoaCode, subject: failure.subject,
            message: failure.sentence, count: count, examples: examples)
    }

    private func uri(_ sourceSlot: Int, _ key: Int64) -> String {
        ManagedObjectID(
            storeUUID: store.metadata.uuid, entityName: builder.sourceModel.entities[sourceSlot].name, primaryKey: key
        ).uri
    }

    /// Rows that a new uniqueness constraint would meet twice; NULL never equals anything.
    private func duplicates(
        _ failure: InferenceFailure, entity: ResolvedEntity, properties: [String]
    ) throws(SQLiteError) -> MigrationFinding? {
        let slots = entity.subtree.compactMap { builder.correspondence.sourceSlot[$0] }
        guard let first = slots.first, let table = builder.source.table(ofEntity: first) else { return nil }
        var columns: [String] = []
        for property in properties {
            if let old = builder.correspondence.sourceAttribute(for: property, in: entity.slot) {
                guard let column = builder.source.column(.attribute(old.key)) else { return nil }
                columns.append("s." + SQLiteIdentifier.bare(column.name))
            } else if let old = builder.correspondence.sourceRelationship(for: property, in: entity.slot) {
                guard let column = builder.source.column(.toOne(old.key)) else { return nil }
                columns.append("s." + SQLiteIdentifier.bare(column.name))
            } else if let attribute = entity.attribute(named: property) {
                let value = StoredValue.defaultValue(of: attribute)
                // A new attribute without default is NULL everywhere: nothing can be equal.
                if value == .null { return nil }
                columns.append(value.literal)
            }
        }
        let numbers = slots.map { String(builder.source.entityNumbers[$0]) }.joined(separator: ", ")
        let conditions = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let group = "SELECT min(s.Z_PK) AS k, count(*) AS n FROM \(SQLiteIdentifier.quoted(table.name)) s "
            + "WHERE s.Z_ENT IN (\(numbers)) AND \(conditions) GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1"
        let count = try connection.value("SELECT sum(n) FROM (\(group))").integer ?? 0
        guard count > 0 else { return nil }
        let keys = try connection.rows("\(group) LIMIT \(Self.exampleCount)").compactMap { $0[0].integer }
        return error(failure, count: count, examples: keys.map { uri(first, $0) })
    }

    /// Links to objects that stay but are no destinations any more.
    private func narrowed(
        _ failure: InferenceFailure, relationship: ResolvedRelationship, slot: Int, sourceSlot: Int
    ) throws(SQLiteError) -> MigrationFinding? {
        guard let old = builder.correspondence.sourceRelationship(for: relationship.name, in: slot) else { return nil }
        let filter = TargetFilter(
            builder, sourceDestination: old.destination, newDestination: relationship.destination)
        guard !filter.narrowed.isEmpty, let target = filter.table, let links = builder.rawLinks(old),
            let ownerTable = builder.source.table(ofEntity: sourceSlot)
        else { return nil }
        let list = filter.narrowed.map(String.init).joined(separator: ", ")
        let conditions = links.conditions + [
            "EXISTS (SELECT 1 FROM \(SQLiteIdentifier.quoted(target.name)) e WHERE e.Z_PK = \(links.destination) AND e.Z_ENT IN (\(list)))",
            "EXISTS (SELECT 1 FROM \(SQLiteIdentifier.quoted(ownerTable.name)) o WHERE o.Z_PK = \(links.owner) "
                + "AND o.Z_ENT = \(builder.source.entityNumbers[sourceSlot]))",
        ]
        let from = "\(links.from) WHERE \(conditions.joined(separator: " AND "))"
        let count = try connection.value("SELECT count(*) \(from)").integer ?? 0
        guard count > 0 else { return nil }
        let keys = try connection.rows("SELECT \(links.owner) \(from) ORDER BY 1 LIMIT \(Self.exampleCount)")
        return error(failure, count: count, examples: keys.compactMap { $0[0].integer }.map { uri(sourceSlot, $0) })
    }

    /// Objects that several others lead to, where the new relationship holds only one.
    private func severalSources(
        _ failure: InferenceFailure, relationship: ResolvedRelationship
    ) throws(SQLiteError) -> MigrationFinding? {
        guard let inverse = relationship.inverse, let old = builder.sourceCounterpart(of: inverse.key),
            let links = builder.rawLinks(old)
        else { return nil }
        let conditions = links.conditions.isEmpty ? "" : " WHERE " + links.conditions.joined(separator: " AND ")
        let group = "SELECT \(links.destination) AS k, count(*) AS n \(links.from)\(conditions) "
            + "GROUP BY 1 HAVING count(*) > 1"
        let count = try connection.value("SELECT count(*) FROM (\(group))").integer ?? 0
        guard count > 0 else { return nil }
        let keys = try connection.rows("\(group) LIMIT \(Self.exampleCount)").compactMap { $0[0].integer }
        return error(failure, count: count, examples: keys.map { uri(old.destination, $0) })
    }
}
