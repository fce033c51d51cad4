import PersistentStores
import SQLiteAccess
import StoreExport
import StoreFetching
import StoreMigration

/// The operation of `ferry export` on a store: makes a folder with a file for each entity.
extension StoreWorker {
    func export(_ store: FleetStore, _ result: inout StoreResult) throws {
        guard let output = store.output else { return }
        // An existing folder is not completed, since its files may be those of another store.
        if FileSystem.isThere(output) { throw StoreError(.exists, path: output) }
        let opened = try OpenedStore(
            store.path, in: models.catalog, named: fleet.version, isCancelled: options.isCancelled)
        result.versionBefore = opened.version.name
        opened.store.connection.onProgress(everyInstructions: 20_000, options.isCancelled)
        // The plan and the records are from one snapshot of the store.
        try FetchedStore.reading([FetchedStore(opened.store, opened.layout)]) {
            try export(opened, to: output, &result)
        }
    }

    private func export(_ opened: OpenedStore, to output: String, _ result: inout StoreResult) throws {
        let entities = fleet.entities.isEmpty ? ExportPlanner.entities(of: opened.layout) : fleet.entities
        let plan = try ExportPlanner.plan(
            of: entities, store: opened.store, layout: opened.layout, style: .init(format: fleet.format)
        ).plan
        var exporter = Exporter(store: opened.store, layout: opened.layout)
        exporter.isCancelled = options.isCancelled
        var refused: Int64 = 0
        exporter.onRefusal = { _ in refused += 1 }
        do {
            result.objects = SaturatingSum.of(try exporter.write(plan.files, into: output))
        } catch {
            plan.discardBinaryFiles()
            throw error
        }
        if refused > 0 { result.findings.append(.init(severity: .warning, code: "objects-left-out", count: refused)) }
        if !plan.notes.isEmpty {
            result.findings.append(
                .init(severity: .warning, code: "properties-left-out", count: Int64(plan.notes.count)))
        }
    }
}
