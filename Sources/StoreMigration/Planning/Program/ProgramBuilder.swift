import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Arranges the transfers of a mapping into the steps of a program, without side effects.
struct ProgramBuilder {
    let transfer: StoreTransfer
    let schema: StoreSchema
    let kept: KeptTables
    let foreign: ForeignObjects
    let bookkeeping: BookkeepingSteps
    /// The steps that update entity numbers in kept tables.
    let references: [MigrationStep]
    /// How rows of kept tables change while they are copied to a new file, by table, instead of in these steps.
    let copies: [String: EntityReferences.Copy]

    var destination: StoreLayout { transfer.destination }
    var naming: SourceNaming { transfer.naming }

    /// Returns the same program for other transfers.
    func with(_ transfer: StoreTransfer) -> ProgramBuilder {
        ProgramBuilder(
            transfer: transfer, schema: schema, kept: kept, foreign: foreign, bookkeeping: bookkeeping,
            references: references, copies: copies)
    }

    /// Returns the tables of the source's entities and relationships, in upper case.
    static func ownedTables(of source: StoreLayout) -> Set<String> {
        Set((source.tables.map(\.name) + source.joinTables.map(\.name)).map { $0.uppercased() })
    }

    // MARK: - Single steps

    func create(_ table: String, _ sql: String) -> MigrationStep {
        MigrationStep(phase: .schema, table: table, summary: "create \(table)", work: .statement(sql))
    }

    func drop(_ kind: String, _ name: String, _ table: String) -> MigrationStep {
        MigrationStep(
            phase: .schema, table: table, summary: "drop the \(kind.lowercased()) \(name)",
            work: .statement("DROP \(kind) IF EXISTS main.\(SQLiteIdentifier.quoted(name))"))
    }

    func rename(_ table: String, to name: String) -> MigrationStep {
        MigrationStep(
            phase: .schema, table: table, summary: "rename \(table) to \(name)",
            work: .statement(
                "ALTER TABLE main.\(SQLiteIdentifier.quoted(table)) RENAME TO \(SQLiteIdentifier.quoted(name))"))
    }

    func createIndex(_ index: SchemaObject) -> MigrationStep {
        MigrationStep(
            phase: .indexes, table: index.table, summary: "create the index \(index.name) again",
            work: .statement(index.sql ?? ""))
    }

    func createForeign(_ object: SchemaObject) -> MigrationStep {
        MigrationStep(
            phase: .foreignObjects, table: object.table,
            summary: "create the \(object.kind.rawValue) \(object.name) again",
            work: .foreign(object))
    }

    /// - Parameter existing: the indexes that already exist and are correct.
    func indexSteps(existing: Set<String>) -> [MigrationStep] {
        destination.indexes().indexes.filter { !existing.contains($0.name) }.map {
            MigrationStep(
                phase: .indexes, table: $0.table, summary: "create the index \($0.name)",
                work: .statement($0.createStatement))
        }
    }
}
