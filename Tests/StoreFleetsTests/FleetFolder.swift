import Foundation
import PersistentStores
import StoreFleets
import TestSupport

/// A folder with copies of the sample store, and what is wrong with some of them.
struct FleetFolder {
    let directory: TemporaryDirectory
    var stores: String { directory.file("stores") }
    var manifest: String { directory.file("fleet.manifest") }

    init(count: Int) throws {
        directory = try TemporaryDirectory()
        let original = try Samples.buildStore("Company", in: directory)
        for number in 0..<count {
            try StoreFiles(original).copy(to: StoreFiles(folder(number) + "/Company.sqlite"))
        }
    }

    /// The folder of a tenant, made if there is none.
    func folder(_ number: Int) throws -> String {
        let path = "\(stores)/tenant-\(number)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    func store(_ number: Int) -> String { "\(stores)/tenant-\(number)/Company.sqlite" }

    static var options: FleetOptions { FleetOptions(.migrate, models: [Samples.models("Company")]) }

    @discardableResult
    func plan(_ options: FleetOptions = Self.options, shards: Int = 1) throws -> FleetSummary {
        let planner = try FleetPlanner(options, shards: shards, to: manifest)
        try planner.add(stores)
        return try planner.finish()
    }

    @discardableResult
    func run(shard: Int = 1, of count: Int = 1, options: FleetRunner.Options = .init()) throws -> ShardReport {
        try FleetRunner(options: options).run(FleetManifest(path: manifest), shard: shard, of: count)
    }

    func status() throws -> FleetStatus { try FleetReader(FleetManifest(path: manifest)).status() }
    func report() throws -> FleetReport { try FleetReader(FleetManifest(path: manifest)).report() }

    /// The version hashes of a store.
    static func hashes(_ path: String) throws -> [String: [UInt8]] {
        try StoreMetadata.read(storeAt: path).versionHashes
    }
}
