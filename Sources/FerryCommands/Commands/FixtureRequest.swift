import CommandLineParsing
import ManagedObjectModels
import PersistentStores
import StoreFixtures
import StoreMigration

/// A request to create stores with generated data.
struct FixtureRequest {
    private let options: FixtureCommandOptions
    private let output: String

    init(_ options: FixtureCommandOptions) throws(UsageError) {
        guard let output = options.output else { throw .missing("--output STORE|FOLDER") }
        try CommandOutput.checkIsPath(output, "a store")
        if options.isOfAllVersions, options.version != nil { throw .conflict("--all-versions", with: "--version") }
        self.options = options
        self.output = output
    }

    func run() throws -> ExitStatus {
        let catalog = try VersionCatalog(
            paths: options.models, isMerging: options.isMerging,
            sources: options.sources.selection)
        let stores = try stores(in: catalog)
        // All existing files are reported before the first store is created.
        for store in stores where FileSystem.isThere(store.path) { throw StoreError(.exists, path: store.path) }
        if options.isOfAllVersions, !FileSystem.isDirectory(output) { try FileSystem.createDirectory(output) }
        let printer = ProgressPrinter(mode: options.progress)
        defer { printer.finish() }
        Cancellation.watchSignals()
        var reports: [FixtureReport] = []
        for store in stores { reports.append(try fixture(of: store.version, printer).write(to: store.path)) }
        printer.finish()
        catalog.warnings.forEach { Console.note("warning: \($0)\n") }
        Console.print(
            options.isJSON
                ? try JSONText.text(Document(stores: reports)) : reports.map(\.description).joined(separator: "\n"))
        return reports.contains(where: \.hasWarnings) ? .findings : .done
    }

    private struct Document: Encodable {
        let stores: [FixtureReport]
    }

    private func fixture(of version: VersionedModel, _ printer: ProgressPrinter) -> StoreFixture {
        let seed = UInt64(options.seed)
        var fixtureOptions = FixtureOptions(rows: options.rows, seed: seed)
        fixtureOptions.isCancelled = { Cancellation.isRequested }
        fixtureOptions.onProgress = { table, rows, total in
            printer.show(stage: "making", table: table, rowsDone: rows, rowsTotal: total)
        }
        var newStore = version.newStore
        newStore.metadata.uuid = StoreFixture.uuid(seed: seed, checksum: version.checksum)
        return StoreFixture(newStore: newStore, version: version.name, options: fixtureOptions)
    }

    private func stores(in catalog: VersionCatalog) throws -> [(path: String, version: VersionedModel)] {
        func part(_ whole: VersionedModel) throws -> VersionedModel {
            try options.configuration.map { try whole.limited(to: $0) } ?? whole
        }
        guard options.isOfAllVersions else {
            return [(output, try part(catalog.version(forNewStore: options.version)))]
        }
        let names = catalog.versions.map(\.name)
        return try catalog.versions.map { version in
            // Versions of different models may have the same name.
            let isAlone = names.filter { $0 == version.name }.count == 1
            let name = isAlone ? version.name : (version.bundle.map { $0.name + " - " } ?? "") + version.name
            let file = String(name.map { $0 == "/" ? ":" : $0 })
            return (output + "/" + file + ".sqlite", try part(catalog.versionedModel(version)))
        }
    }
}
