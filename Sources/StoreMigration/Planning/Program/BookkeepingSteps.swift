import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The steps that write `Z_PRIMARYKEY`, `Z_METADATA` and `Z_MODELCACHE` (docs/format/sqlite-store.md#bookkeeping-tables
/// and docs/format/sqlite-store.md#metadata).
struct BookkeepingSteps {
    let layout: StoreLayout
    let metadata: StoreMetadata
    /// The rows of kept entities that do not belong to the model: history and mirroring.
    let systemRecords: [EntityRecord]
    /// The highest key that the source ever used, by the name of the destination's root entity.
    let maximumKeys: [String: Int64]

    /// The statements that create the tables of a new file.
    var tables: [MigrationStep] {
        BookkeepingTables.createStatements.map { step($0.table, "create \($0.table)", $0.sql, phase: .schema) }
    }

    /// - Parameter isNewFile: whether the tables are empty.
    func rows(isNewFile: Bool, hasModelCache: Bool) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        if !isNewFile {
            steps.append(step("Z_PRIMARYKEY", "old entity numbers go", "DELETE FROM main.Z_PRIMARYKEY"))
        }
        for entity in layout.model.entities {
            let number = layout.entityNumbers[entity.slot]
            let parent = entity.superentity.map { layout.entityNumbers[$0] } ?? 0
            var maximum = "0"
            if entity.superentity == nil, let table = layout.table(ofEntity: entity.slot) {
                maximum =
                    "max(ifnull((SELECT max(Z_PK) FROM main.\(SQLiteIdentifier.bare(table.name))), 0), "
                    + "\(maximumKeys[entity.name] ?? 0))"
            }
            let name = SQLiteValue.string(entity.name).literal
            steps.append(
                step(
                    "Z_PRIMARYKEY", "entity \(entity.name)",
                    "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
                        + "VALUES (\(number), \(name), \(parent), \(maximum))"))
        }
        for record in systemRecords {
            let name = SQLiteValue.string(record.name).literal
            steps.append(
                step(
                    "Z_PRIMARYKEY", "system entity \(record.name)",
                    "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
                        + "VALUES (\(record.number), \(name), \(record.superentityNumber), \(record.maximumKey))"))
        }
        if hasModelCache {
            // An empty table is allowed (docs/format/sqlite-store.md#bookkeeping-tables), and Core Data fills it again.
            // The old model would be wrong.
            steps.append(step("Z_MODELCACHE", "the old model goes", "DELETE FROM main.Z_MODELCACHE"))
        }
        if !isNewFile {
            steps.append(step("Z_METADATA", "old metadata go", "DELETE FROM main.Z_METADATA"))
        }
        let uuid = SQLiteValue.string(metadata.uuid).literal
        steps.append(
            MigrationStep(
                phase: .bookkeeping, table: "Z_METADATA", summary: "version hashes and metadata",
                work: .metadata(
                    "INSERT INTO main.Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, \(uuid), ?1)",
                    plist: BinaryPropertyListWriter.bytes(for: .dictionary(metadata.entries)))))
        return steps
    }

    private func step(
        _ table: String, _ summary: String, _ sql: String, phase: MigrationStep.Phase = .bookkeeping
    ) -> MigrationStep {
        MigrationStep(phase: phase, table: table, summary: summary, work: .statement(sql))
    }
}
