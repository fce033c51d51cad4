import ModelLinting
import PersistentStores
import ReportPages
import StoreFleets
import StoreImport
import StoreMigration
import StoreVerification
import TestSupport

/// A page of each report, out of runs over the samples.
enum PageExample: String, CaseIterable, Sendable {
    case migration, plan, importing, verification, lint, fleet

    func page(in directory: TemporaryDirectory) throws -> ReportPage {
        let models = Samples.models("Company")
        switch self {
        case .migration, .plan:
            let store = try Samples.buildStore("Company", in: directory)
            let plan = try Self.plan(store, models, placement: .output(directory.file("New.sqlite")))
            guard self == .migration else { return ReportPage(plan, tool: "ferry 1") }
            let fingerprint = StoreFingerprint(of: StoreFiles(store))
            let report = try MigrationManager(options: MigrationOptions()).execute(plan, unchangedSince: fingerprint)
            return ReportPage(report, plan: plan, tool: "ferry 1")
        case .importing:
            let version = try VersionCatalog(paths: [models]).version(forNewStore: nil)
            var report = ImportReport(
                store: "A & B.sqlite", isDryRun: false, entities: [.init(entity: "Project")],
                sources: [.init(name: "<b>.csv")])
            report.sources[0].records = 2_000
            report.sources[0].rejected = 1
            report.firstRejections = ["<b>.csv:7: \"title\" & more"]
            report.findings = ["no record has the path <x>"]
            report.seconds = 2
            report.progress = [
                .init(seconds: 0, stage: "importing", rows: 0, memory: 8_000_000),
                .init(seconds: 0.5, stage: "importing", rows: 1_500, memory: 16_000_000),
                .init(seconds: 1, stage: "importing", rows: 2_000, memory: 12_000_000),
                .init(seconds: 2, stage: "done <all>", rows: 2_000, memory: 12_000_000),
            ]
            return ReportPage(report, version: version, tool: "ferry 1")
        case .verification:
            let store = try SQLiteStore(path: try Samples.buildStore("Company", in: directory))
            let version = try VersionCatalog(paths: [models]).sourceVersion(of: store, named: nil)
            let report = try StoreVerifier(store, model: version.model, named: version.name).verify()
            return ReportPage(report, version: version, tool: "ferry 1")
        case .fleet:
            let store = try Samples.buildStore("Company", in: directory)
            try FileSystem.createDirectory(directory.file("stores"))
            try StoreFiles(store).copy(to: StoreFiles(directory.file("stores/A & B.sqlite")))
            _ = try directory.write("not a store", to: "stores/<b>.sqlite")
            let manifest = directory.file("fleet.manifest")
            let planner = try FleetPlanner(FleetOptions(.migrate, models: [models]), shards: 2, to: manifest)
            try planner.add(directory.file("stores"))
            _ = try planner.finish()
            for shard in 1...2 {
                _ = try FleetRunner(options: .init()).run(FleetManifest(path: manifest), shard: shard, of: 2)
            }
            return ReportPage(try FleetReader(FleetManifest(path: manifest)).report(), tool: "ferry 1")
        case .lint:
            let finding = LintFinding(
                .missingInverse, version: "A", entity: "Chef", property: "<favorites>", file: "a/contents", line: 11,
                message: "no inverse & no reason")
            let report = LintReport([finding, finding], silences: nil, scopes: [.version], versions: [])
            return ReportPage(report, path: "a", isStopped: true, tool: "ferry 1")
        }
    }

    private static func plan(_ path: String, _ models: String, placement: MigrationPlacement) throws -> ChainPlan {
        let catalog = try VersionCatalog(paths: [models])
        let store = try SQLiteStore(path: path)
        let source = try catalog.sourceVersion(of: store, named: nil)
        let destination = try catalog.destinationVersion(named: nil, for: source)
        let chain = try ChainFinder(catalog: catalog, mappings: [], found: []).chain(
            from: source, to: destination, mode: .auto)
        return try ChainPlanner(
            store: store, chain: try catalog.completed(chain), options: .init(placement: placement),
            isCancelled: { false }
        ).plan()
    }
}
