import Glibc
import ManagedObjectModels
import PersistentStores

/// The stores of a fleet, and `ferry` in the ways that migrate all of them.
struct FleetTool {
    private let session: BenchmarkSession
    private let workspace: Workspace
    private let models: String

    /// The version to migrate to; nil for the current one.
    private let destination: String?
    private let template: String

    /// Objects of each entity of a store; of the generated model's they take 200 KB.
    private static let rowsOfModel = 60
    private static let rowsOfOrders = 500

    init(session: BenchmarkSession, workspace: Workspace) throws {
        (self.session, self.workspace) = (session, workspace)
        models = try session.options.models.map { FileSystem.absolute($0) } ?? OrderModels.write(to: workspace)
        destination = session.options.models == nil ? OrderModels.Version.transformed.rawValue : nil
        template = workspace.file("template")
        let rows = session.options.models == nil ? Self.rowsOfOrders : Self.rowsOfModel
        guard let first = try ModelVersions(path: models).singleModel().versions.first else { return }
        try FileSystem.createDirectory(template)
        try ferry([
            "fixture", "--models", models, "--version", first.name, "--rows", String(rows), "--seed", "3",
            "--output", template + "/Store.sqlite",
        ])
        session.note("\(session.options.stores) stores of \(Quantity.bytes(FileSystem.size(store(in: template)) ?? 0))")
    }

    private func store(in folder: String) -> String { folder + "/Store.sqlite" }
    private var stores: String { workspace.file("stores") }
    private var manifest: String { workspace.file("manifest") }
    private func folder(_ number: Int) -> String { "\(stores)/\(number)" }

    /// `ferry migrate` for one store after the other.
    func loop() -> Contestant {
        Contestant(name: "loop", prepare: renew) {
            var usage = Usage.none
            for number in 0..<session.options.stores {
                usage += try ferry(["migrate", store(in: folder(number))] + destinationWords)
            }
            return usage
        }
    }

    /// A plan, and a run of its only shard.
    func shard(jobs: Int, named name: String) -> Contestant {
        Contestant(name: name, prepare: renew) {
            var usage = try ferry(
                ["fleet", "plan", "--operation", "migrate", "--shards", "1", "-o", manifest, stores] + destinationWords,
                hasProgress: false)
            usage += try ferry(
                ["fleet", "run", manifest, "--shard", "1/1", "--jobs", String(jobs)], hasProgress: false)
            return usage
        }
    }

    func remove() throws {
        for path in [stores, template, manifest, manifest + ".ledger"] { try FileSystem.remove(path) }
    }

    /// New copies of the store, on the device.
    private func renew() throws {
        for path in [stores, manifest, manifest + ".ledger"] { try FileSystem.remove(path) }
        let original = StoreFiles(store(in: template))
        for number in 0..<session.options.stores {
            try FileSystem.createDirectory(folder(number))
            try original.copy(to: StoreFiles(store(in: folder(number))))
        }
        sync()
    }

    private var destinationWords: [String] {
        ["--models", models] + (destination.map { ["--to", $0] } ?? [])
    }

    @discardableResult
    private func ferry(_ words: [String], hasProgress: Bool = true) throws -> Usage {
        try MeasuredProgram(
            executable: session.ferry, arguments: words + (hasProgress ? ["--progress", "none"] : []),
            directory: workspace.path, accepted: [0, 1]
        ).run().usage
    }
}
