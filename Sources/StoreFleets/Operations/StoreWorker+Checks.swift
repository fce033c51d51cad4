import FoundationEssentials
import PersistentStores
import StoreConversion
import StoreMigration
import StoreVerification

/// The operations of `ferry verify`, `ferry repair` and `ferry inspect` on a store.
extension StoreWorker {
    func verify(_ store: FleetStore, _ result: inout StoreResult) throws {
        var settings = StoreVerifier.Options()
        settings.exampleLimit = 0
        settings.isCancelled = options.isCancelled
        let (report, version) = try models.catalog.verify(
            storeAt: store.path, named: fleet.version, options: settings)
        result.versionBefore = version?.name
        result.versionAfter = version?.name
        result.objects = report.rows
        result.findings = report.findings.map { StoreFinding($0) }
        if let worst = report.findings.first(where: { $0.severity == .error }) {
            result.failure = StoreFailure(worst.code, "\(store.path): \(worst.message)")
        }
    }

    func repair(_ store: FleetStore, _ result: inout StoreResult) throws {
        var settings = StoreRepair.Options()
        settings.output = store.output
        settings.backup = store.backup
        settings.keep = fleet.survivor
        settings.exampleLimit = 0
        settings.timeout = options.lockTimeout
        settings.isCancelled = options.isCancelled
        settings.onCheckpoint = options.onCheckpoint
        let report = try models.catalog.repair(
            storeAt: store.path, rules: fleet.rules.compactMap { VerificationRule(rawValue: $0) },
            named: fleet.version, options: settings)
        result.findings =
            report.repairs.map { StoreFinding(severity: .note, code: "repaired-" + $0.rule, count: $0.count) }
            // Faults that remain after a repair need attention, but are not failures of the repair.
            + report.remaining.map {
                let finding = StoreFinding($0)
                return finding.severity == .error
                    ? StoreFinding(severity: .warning, code: finding.code, count: finding.count) : finding
            }
    }

    func inspect(_ store: FleetStore, _ result: inout StoreResult) throws {
        let registry = PersistentStoreRegistry.standard
        if try registry.isAtomic(store.path) {
            let inspection = try AtomicStoreInspection(path: store.path, catalog: models.catalog)
            result.versionBefore = inspection.version
            result.objects = SaturatingSum.of(inspection.entities.compactMap(\.objects))
            return try write(inspection, of: store)
        }
        let opened = try SQLiteStore(path: store.path)
        // A store without a model is shown by the result, and is not an error here.
        let model = try? models.catalog.sourceVersion(of: opened, named: nil)
        let outline = try model.map {
            ModelOutline($0, localization: try models.catalog.localization(of: $0.path, language: nil))
        }
        let inspection = try StoreInspection(
            of: opened, match: try StoreInspection.match(opened, in: models.catalog), model: outline)
        result.versionBefore = inspection.match?.version
        result.objects = SaturatingSum.of(inspection.entities.compactMap(\.rows))
        try write(inspection, of: store)
    }

    private func write(_ inspection: some Encodable, of store: FleetStore) throws {
        guard let output = store.output else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileSystem.writeOutput(Array(try encoder.encode(inspection)) + [0x0A], to: output, replacing: false)
    }
}
