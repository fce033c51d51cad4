import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// What names objects by entity number and key outside their tables, and how it follows a mapping model
/// (docs/format/sqlite-store.md#persistent-history, #cloudkit-mirroring).
///
/// A mapping gives an object the key of its source plus a number. So a row follows the object that was made of what it
/// names, if that object is there, and it follows what was deleted before, if only one mapping leads from its entity.
/// Other rows go.
struct MappedReferences {
    /// What the objects of a source entity have become by one mapping.
    private struct Target {
        let number: Int
        let offset: Int64
        /// The table in the result, in quotes.
        let table: String
    }

    private struct Entity {
        let number: Int
        /// The source's table as the migrating connection knows it.
        let table: String
        let targets: [Target]
        /// Whether old and new have the same properties.
        let isSame: Bool
    }

    private let entities: [Entity]
    private let schema: StoreSchema

    init(_ builder: CustomMappingBuilder, schema: StoreSchema) {
        self.schema = schema
        let (source, destination) = (builder.source, builder.destination)
        entities = source.model.entities.compactMap { entity in
            guard let table = source.table(ofEntity: entity.slot) else { return nil }
            let mappings = builder.mappings.filter { $0.source == entity.slot }
            let targets = mappings.compactMap { mapping in
                destination.table(ofEntity: mapping.destination).map {
                    Target(
                        number: destination.entityNumbers[mapping.destination], offset: mapping.offset,
                        table: "main.\(SQLiteIdentifier.quoted($0.name))")
                }
            }
            guard !targets.isEmpty else { return nil }
            let properties = EntityReferences.properties(of: entity)
            return Entity(
                number: source.entityNumbers[entity.slot],
                table: "source.\(SQLiteIdentifier.quoted(table.name))", targets: targets,
                isSame: mappings.allSatisfy {
                    EntityReferences.properties(of: destination.model.entities[$0.destination]) == properties
                })
        }
    }

    private static let changes = "ACHANGE"

    var hasHistory: Bool { schema.table(named: "ATRANSACTION") != nil }

    private var hasChanges: Bool { schema.table(named: Self.changes)?.hasColumn("ZENTITY") ?? false }

    /// The tables of CloudKit's mirror.
    var mirrors: [String] { schema.tables.map(\.name).filter { $0.uppercased().hasPrefix("ANSCK") } }

    /// Those that name entities in the one column whose meaning is known.
    private var numberedMirrors: [String] {
        mirrors.filter { schema.table(named: $0)?.hasColumn("ZENTITYID") ?? false }
    }

    /// The mirror's tables of which no column is known to name entities.
    var unknownMirrors: [String] {
        mirrors.filter { !(schema.table(named: $0)?.hasColumn("ZENTITYID") ?? false) }
    }

    // MARK: - Steps

    /// The steps for the tables of history, once they are in the result.
    var historySteps: [MigrationStep] {
        guard hasChanges else { return [] }
        let hasColumns = schema.table(named: Self.changes)?.hasColumn("ZCOLUMNS") ?? false
        return steps(
            table: Self.changes, number: "ZENTITY", key: "ZENTITYPK", forgotten: hasColumns ? "ZCOLUMNS" : nil)
    }

    var mirrorSteps: [MigrationStep] {
        numberedMirrors.flatMap { table in
            let hasKeys = schema.table(named: table)?.hasColumn("ZENTITYPK") ?? false
            return steps(table: table, number: "ZENTITYID", key: hasKeys ? "ZENTITYPK" : nil, forgotten: nil)
        }
    }

    /// - Parameter forgotten: a column that means nothing where the properties of an entity change.
    private func steps(table: String, number: String, key: String?, forgotten: String?) -> [MigrationStep] {
        let name = SQLiteIdentifier.quoted(table)
        func step(_ summary: String, _ sql: String) -> MigrationStep {
            MigrationStep(phase: .keptTables, table: table, summary: summary, work: .statement(sql))
        }
        var result = [
            step("remove the rows of entities that are gone", "DELETE FROM main.\(name) WHERE \(isGone(number))")
        ]
        for entity in entities {
            let own = "\(number) = \(entity.number)"
            guard let key else {
                // A number alone says nothing where the entity has become several.
                result.append(
                    entity.targets.count == 1
                        ? step(
                            "rewrite the entity numbers",
                            "UPDATE main.\(name) SET \(number) = -\(entity.targets[0].number) WHERE \(own)")
                        : step("remove the rows of a split entity", "DELETE FROM main.\(name) WHERE \(own)"))
                continue
            }
            let row = "\(name).\(key)"
            func isThere(_ target: Target) -> String {
                "EXISTS (SELECT 1 FROM \(target.table) d WHERE d.Z_PK = \(row) + \(target.offset) "
                    + "AND d.Z_ENT = \(target.number))"
            }
            let isLost = "NOT (\(entity.targets.map(isThere).joined(separator: " OR ")))"
            let wasThere =
                entity.targets.count == 1
                ? "EXISTS (SELECT 1 FROM \(entity.table) s WHERE s.Z_PK = \(row) AND s.Z_ENT = \(entity.number)) AND "
                : ""
            result.append(
                step(
                    "remove the rows of objects that are gone",
                    "DELETE FROM main.\(name) WHERE \(own) AND \(wasThere)\(isLost)"))
            if let forgotten, !entity.isSame {
                result.append(
                    step(
                        "forget the changed columns of entities whose properties change",
                        "UPDATE main.\(name) SET \(forgotten) = NULL WHERE \(own)"))
            }
            // By way of negative numbers, so that no row is taken for one of another entity.
            for target in entity.targets {
                let condition = entity.targets.count == 1 ? "" : " AND \(isThere(target))"
                result.append(
                    step(
                        "rewrite the entity numbers",
                        "UPDATE main.\(name) SET \(number) = -\(target.number), \(key) = \(key) + \(target.offset) "
                            + "WHERE \(own)\(condition)"))
            }
        }
        result.append(
            step("rewrite the entity numbers", "UPDATE main.\(name) SET \(number) = -\(number) WHERE \(number) < 0"))
        return result
    }

    /// Rows of entities that are gone, or that the model never had; Core Data's own have numbers beyond all of a model.
    private func isGone(_ column: String) -> String {
        let numbers = entities.map(\.number).sorted().map(String.init).joined(separator: ", ")
        return "\(column) <= \(EntityRecord.firstSystemNumber) AND \(column) NOT IN (\(numbers))"
    }

    // MARK: - Counts

    /// How many rows the models alone say something of; those of objects that the mapping model drops come on top.
    func counts(on connection: Connection) throws(SQLiteError) -> EntityReferences.Counts {
        func count(_ table: String, _ condition: String) throws(SQLiteError) -> Int64 {
            try connection.value("SELECT count(*) FROM main.\(SQLiteIdentifier.quoted(table)) WHERE \(condition)")
                .integer ?? 0
        }
        var result = EntityReferences.Counts()
        if hasChanges {
            result.removed = try count(Self.changes, isGone("ZENTITY"))
            func list(_ isIncluded: (Entity) -> Bool) -> String {
                entities.filter(isIncluded).map { "\($0.number)" }.joined(separator: ", ")
            }
            if schema.table(named: Self.changes)?.hasColumn("ZCOLUMNS") ?? false {
                result.forgotten = try count(
                    Self.changes, "ZCOLUMNS IS NOT NULL AND ZENTITY IN (\(list { !$0.isSame }))")
            }
            let moved = list { entity in entity.targets.contains { $0.number != entity.number || $0.offset != 0 } }
            result.renumbered = try count(Self.changes, "ZENTITY IN (\(moved))")
        }
        for table in numberedMirrors { result.unmirrored += try count(table, isGone("ZENTITYID")) }
        return result
    }
}
