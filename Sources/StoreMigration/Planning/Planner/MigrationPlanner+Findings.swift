import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

extension MigrationPlanner {
    /// Returns findings about tables and columns of its version that the store lacks.
    func layoutFindings(_ layout: StoreLayout) -> [MigrationFinding] {
        layout.problems.map {
            MigrationFinding(
                .error, "schema-mismatch", cocoaCode: 134100,
                message: "\($0); the store is not of the version \(source.name); name the right version with "
                    + "--from")
        }
    }

    /// Returns findings about an interrupted import. Its remaining records belong to the store's version, and the
    /// import finds objects by their keys there.
    func interruptedImport() throws(SQLiteError) -> [MigrationFinding] {
        guard try InterruptedImport.isPresent(in: store.connection) else { return [] }
        return [
            MigrationFinding(
                .error, "import-interrupted",
                message: StoreError(.importInterrupted, path: files.original.shownPath).sentence)
        ]
    }

    /// Returns findings about damage in the store that the user specified. A dry run searches for damage; the migration
    /// itself does so before it replaces anything.
    func damage() throws(SQLiteError) -> [MigrationFinding] {
        guard options.isThorough, files.original.path == store.files.path else { return [] }
        return try SourceVerification.faults(of: store.connection, comparesIndexes: false).map {
            MigrationFinding(
                .error, "damaged-store", cocoaCode: 134180,
                message: "\($0); recover it with \"sqlite3 STORE .recover\", or take a backup")
        }
    }

    /// Returns findings about the destination and the files themselves, which do not depend on how objects are
    /// migrated.
    func commonFindings(_ layout: StoreLayout) -> [MigrationFinding] {
        let found = options.isSketch ? [] : FileChecks(files: files.original, placement: options.placement).findings()
        return options.findings + columnLimit(layout) + hashFindings() + found
    }

    /// Returns findings about rows whose entity number does not belong to their table. Core Data does not see them, and
    /// they are not migrated.
    func strangers(_ layout: StoreLayout) throws(SQLiteError) -> [MigrationFinding] {
        guard options.isThorough else { return [] }
        var result: [MigrationFinding] = []
        for table in layout.tables {
            let numbers = source.model.entities[table.root].subtree.map { String(layout.entityNumbers[$0]) }
            let count =
                try store.connection.value(
                    "SELECT count(*) FROM \(SQLiteIdentifier.quoted(table.name)) "
                        + "WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.joined(separator: ", ")))"
                ).integer ?? 0
            if count > 0 { result.append(stranger(in: table, count)) }
        }
        return result
    }

    /// Returns the same findings from the counts of rows, if the rows were not examined before.
    func strangers(_ layout: StoreLayout, _ rows: RowCounts) -> [MigrationFinding] {
        guard !options.isThorough else { return [] }
        return layout.tables.compactMap { table in rows.strangers[table.root].map { stranger(in: table, $0) } }
    }

    private func stranger(in table: EntityTable, _ count: Int64) -> MigrationFinding {
        MigrationFinding(
            .warning, "unknown-entity-number", subject: source.model.entities[table.root].name,
            message: "rows of \(table.name) have an entity number that does not belong to the table; they are not "
                + "objects, and go over only where the table stays as it is", count: count)
    }

    /// Returns findings about objects that get the default of a new UUID attribute. Core Data and SwiftData give the
    /// same value to all of them.
    func sharedUUIDs(
        _ correspondence: ModelCorrespondence, _ layout: StoreLayout, _ rows: RowCounts
    ) throws(SQLiteError) -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        for entity in destination.model.entities {
            guard let slot = correspondence.sourceSlot[entity.slot] else { continue }
            for attribute in entity.attributes
            where attribute.isStored && attribute.type == .uuid && !attribute.isDerived
                && attribute.description.defaultValue != nil
                && correspondence.sourceAttribute(for: attribute.name, in: entity.slot) == nil
            {
                let known = rows.byEntity[slot]
                let count = if let known { known } else { try count(slot, layout) }
                guard count > 1 else { continue }
                result.append(
                    MigrationFinding(
                        .warning, "shared-uuid", subject: "\(entity.name).\(attribute.name)",
                        message: "the attribute is new, and all objects get its default, which is one UUID for all; if "
                            + "it is to tell them apart, give each object its own in the app",
                        count: count))
            }
        }
        return result
    }

    private func count(_ slot: Int, _ layout: StoreLayout) throws(SQLiteError) -> Int64 {
        guard let table = layout.table(ofEntity: slot) else { return 0 }
        return try store.connection.value(
            "SELECT count(*) FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_ENT = \(layout.entityNumbers[slot])"
        ).integer ?? 0
    }

    func columnLimit(_ layout: StoreLayout) -> [MigrationFinding] {
        let maximum = store.connection.maximumColumnCount
        return layout.tables.filter { $0.columns.count > maximum }.map { table in
            MigrationFinding(
                .error, "too-many-columns", cocoaCode: 134180, subject: destination.model.entities[table.root].name,
                message: "its table would need \(table.columns.count) columns, and SQLite allows \(maximum); "
                    + "split the entity")
        }
    }

    func alternativeFindings() -> [MigrationFinding] {
        guard !source.alternatives.isEmpty else { return [] }
        return [
            MigrationFinding(
                .note, "several-versions",
                message: "other versions have the store's hashes too; this one is taken: \(source.path); the others: "
                    + "\(source.alternatives.joined(separator: ", ")); name one with --from",
                count: Int64(source.alternatives.count))
        ]
    }

    func hashFindings() -> [MigrationFinding] {
        destination.unprovenHashes.sorted { $0.key < $1.key }.map { name, feature in
            MigrationFinding(
                .warning, "unproven-version-hash", cocoaCode: 134100, subject: name,
                message: "Core Data may not accept the store, as the version hash of the entity is not certain "
                    + "(\(feature)); open it once with the app before you ship it")
        }
    }
}
