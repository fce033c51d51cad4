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
        for failure in constraintsNotYetEnforced() where !failures.contains(where: { isSame($0, failure) }) {
            if let finding = try finding(for: failure) { result.append(finding) }
        }
        return result
    }

    private func isSame(_ first: InferenceFailure, _ second: InferenceFailure) -> Bool {
        first.code == second.code && first.entity == second.entity
    }

    /// Constraints that hold among the objects of their entity, and that no index of the source holds for all rows of the
    /// table as they will be: other entities may get the values, and older frameworks made no such index.
    private func constraintsNotYetEnforced() -> [InferenceFailure] {
        let transfers = Dictionary(
            builder.tables().map { ($0.table.name, $0) }, uniquingKeysWith: { first, _ in first })
        var result: [InferenceFailure] = []
        for entity in destination.entities {
            for properties in entity.description.uniquenessConstraints where !properties.isEmpty {
                guard let name = builder.destination.table(ofEntity: entity.slot)?.name, let transfer = transfers[name],
                    let source = transfer.source
                else { continue }
                let columns = properties.map { property -> String? in
                    let wanted = builder.destination.storedColumn(ofProperty: property, in: entity)?.name
                    guard case .column(let name)? = transfer.columns.first(where: { $0.column.name == wanted })?.uniform
                    else { return nil }
                    return name
                }
                if columns.contains(nil) || !isUnique(Set(columns.compactMap { $0 }), in: source.name) {
                    result.append(InferenceFailure(.newUniquenessConstraint(properties: properties), entity: entity.name))
                }
            }
        }
        return result
    }

    /// Whether an index keeps the values of some columns apart, be it one of CREATE TABLE itself.
    private func isUnique(_ columns: Set<String>, in table: String) -> Bool {
        let quoted = SQLiteIdentifier.quoted(table)
        let indexes = (try? connection.rows("PRAGMA index_list(\(quoted))")) ?? []
        // name, unique, origin, partial follow the number.
        return indexes.filter { $0[2].integer == 1 && $0[4].integer == 0 }.compactMap { $0[1].string }.contains { name in
            let members = (try? connection.rows("PRAGMA index_info(\(SQLiteIdentifier.quoted(name)))")) ?? []
            return Set(members.compactMap { $0[2].string }) == columns
        }
    }

    private func finding(for failure: InferenceFailure) throws(SQLiteError) -> MigrationFinding? {
        guard let slot = destination.slot(named: failure.entity) else { return nil }
        let entity = destination.entities[slot]
        // The entity itself may be new: its heirs are concerned, then.
        if case .newUniquenessConstraint(let properties) = failure.code {
            return try duplicates(failure, entity: entity, properties: properties)
        }
        guard let sourceSlot = builder.correspondence.sourceSlot[slot],
            let table = builder.source.table(ofEntity: sourceSlot)
        else { return nil }
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
        case .destinationNarrowed:
            guard let name = failure.property, let relationship = entity.relationship(named: name) else { return nil }
            return try narrowed(failure, relationship: relationship, slot: slot, sourceSlot: sourceSlot)
        case .severalSources:
            guard let name = failure.property, let relationship = entity.relationship(named: name) else { return nil }
            return try severalSources(failure, relationship: relationship)
        case .sharedDestinations:
            guard let name = failure.property, let relationship = entity.relationship(named: name) else { return nil }
            return try sharedDestinations(failure, relationship: relationship)
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

    /// Rows that a new uniqueness constraint would meet twice, with the values that they will have; NULL never equals
    /// anything. The index is one of the whole table, so that rows of all its entities count.
    private func duplicates(
        _ failure: InferenceFailure, entity: ResolvedEntity, properties: [String]
    ) throws(SQLiteError) -> MigrationFinding? {
        guard let name = builder.destination.table(ofEntity: entity.slot)?.name,
            let transfer = builder.tables().first(where: { $0.table.name == name }), let source = transfer.source
        else { return nil }
        let wanted = properties.compactMap { builder.destination.storedColumn(ofProperty: $0, in: entity)?.name }
        let values = wanted.compactMap { column in
            transfer.columns.first { $0.column.name == column }?.expression.sql
        }
        guard values.count == properties.count, !values.contains("NULL") else { return nil }
        let numbers = transfer.takenNumbers.map(String.init).joined(separator: ", ")
        let columns = values.indices.map { "v\($0)" }
        // A group per combination of values; with min(), SQLite takes the entity number from the same row.
        let group = "SELECT min(k) AS k, e, count(*) AS n FROM (SELECT s.Z_PK AS k, s.Z_ENT AS e, "
            + zip(values, columns).map { "\($0) AS \($1)" }.joined(separator: ", ")
            + " FROM \(builder.naming.name(source.name)) s WHERE s.Z_ENT IN (\(numbers))) WHERE "
            + columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            + " GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1"
        let count = try connection.value("SELECT sum(n) FROM (\(group))").integer ?? 0
        guard count > 0 else { return nil }
        let examples = try connection.rows("\(group) LIMIT \(Self.exampleCount)").compactMap { row -> String? in
            guard let key = row[0].integer, let number = row[1].integer,
                let slot = builder.source.slot(ofEntityNumber: Int(number))
            else { return nil }
            return uri(slot, key)
        }
        return error(failure, count: count, examples: examples)
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

    /// Objects that are destinations of several others, where the new relationship keeps one owner per destination.
    private func sharedDestinations(
        _ failure: InferenceFailure, relationship: ResolvedRelationship
    ) throws(SQLiteError) -> MigrationFinding? {
        let links = builder.sourceCounterparts(of: relationship.key).compactMap { old, owners in
            builder.keptLinks(of: old, owners: owners, newDestination: relationship.destination).map {
                "SELECT \($0.destination) AS k \($0.from)"
            }
        }
        guard !links.isEmpty, let old = builder.sourceCounterpart(of: relationship.key) else { return nil }
        let group = "SELECT k FROM (\(links.joined(separator: " UNION ALL "))) GROUP BY k HAVING count(*) > 1"
        let count = try connection.value("SELECT count(*) FROM (\(group))").integer ?? 0
        guard count > 0 else { return nil }
        let keys = try connection.rows("\(group) LIMIT \(Self.exampleCount)").compactMap { $0[0].integer }
        return error(failure, count: count, examples: keys.map { uri(old.destination, $0) })
    }
}
