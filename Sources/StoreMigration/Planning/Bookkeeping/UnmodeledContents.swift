import PersistentStores
import SQLiteAccess

/// The contents of a store that are not objects of its model: other tables, indexes, triggers and views, and how they
/// are migrated.
struct UnmodeledContents {
    let kept: KeptTables
    let foreign: ForeignObjects

    /// The findings about these contents.
    let findings: [MigrationFinding]

    /// - Parameters:
    ///   - schema: the schema of the store.
    ///   - isRefused: whether the migration is already refused, so that nothing is tried.
    init(
        of schema: StoreSchema, from source: StoreLayout, to destination: StoreLayout, keepsHistory: Bool,
        isRefused: Bool
    ) throws {
        kept = KeptTables(
            schema: schema, owned: ProgramBuilder.ownedTables(of: source), keepsHistory: keepsHistory)
        var findings = Self.findings(kept, destination)
        // Objects cannot be tried if their tables are refused.
        let isRefused = isRefused || findings.contains { $0.severity == .error }
        foreign =
            isRefused
            ? ForeignObjects.none
            : try ForeignObjects(schema: schema, source: source, destination: destination, keptTables: kept)
        findings += foreign.findings
        self.findings = findings
    }

    /// Returns a message about how tables outside of the model are migrated; those of CloudKit mirroring are updated.
    private static func message(_ tables: [SchemaTable]) -> String {
        let others = tables.filter { !$0.isCloudKitMirror }.map(\.name).sorted()
        let mirrors = tables.filter(\.isCloudKitMirror).map(\.name).sorted()
        let plain = "tables that the model does not have keep all columns, rows and indexes unchanged: "
        return [
            others.isEmpty ? nil : plain + others.joined(separator: ", "),
            mirrors.isEmpty
                ? nil
                : "tables of CloudKit mirroring keep all columns, rows and indexes, except where another finding "
                    + "says which rows go and which numbers follow: " + mirrors.joined(separator: ", "),
        ].compactMap(\.self).joined(separator: "; ")
    }

    private static func findings(_ kept: KeptTables, _ layout: StoreLayout) -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        let unknown = kept.tables.filter { !KeptTables.history.contains($0.name.uppercased()) }
        if !unknown.isEmpty {
            result.append(
                MigrationFinding(
                    .note, "unknown-tables",
                    message: Self.message(unknown),
                    count: Int64(unknown.count)))
        }
        let names = Set((layout.tables.map(\.name) + layout.joinTables.map(\.name)).map { $0.uppercased() })
        for table in kept.tables where names.contains(table.name.uppercased()) {
            result.append(
                MigrationFinding(
                    .error, "table-in-the-way", subject: table.name,
                    message: "a table that is not in the model has the name of a new one; rename or drop it"))
        }
        result += layout.indexes().unsupported.map {
            MigrationFinding(.note, "index-left-out", subject: $0.entity, message: $0.sentence)
        }
        result += DerivedAttributeTriggers(layout: layout).unsupported.map {
            MigrationFinding(
                .warning, "derived-attribute-without-trigger", subject: $0,
                message: "no trigger is written for this derivation; the values stay what they are until Core Data "
                    + "computes them")
        }
        return result
    }
}
