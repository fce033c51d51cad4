import Foundation
import FuzzDriving
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion
import StoreMigration
import StoreVerification

/// Stores of each type, damaged or made by an attacker, and the stages of migrations.
@main struct FuzzStores {
    static func main() {
        FuzzDriver.run([
            "atomicstore": { bytes in
                let path = FuzzDriver.write(bytes, as: "input.store")
                _ = try StoreMetadata.read(storeAt: path)
                try convert(path, to: .sqlite, "out.sqlite")
                try convert(FuzzDriver.scratch + "out.sqlite", to: .binary, "out.bin")
            },
            "pages": { try PageComparison($0).run() },
            "schema": { try runStatements($0) },
            "sqlite": { try useSQLite(FuzzDriver.write($0, as: "input.sqlite")) },
            "stages": { _ = try StagedMigrationDocument.read(path: FuzzDriver.write($0, as: "stages.yaml")) },
        ])
    }

    /// The folder with the model and the store that the seeds were made of.
    private static let home = ProcessInfo.processInfo.environment["FUZZ_HOME"] ?? "."

    /// Read once, as inputs are stores, not models; libFuzzer has one thread.
    private nonisolated(unsafe) static let catalog = Result { try VersionCatalog(paths: [home + "/Fuzz.xcdatamodel"]) }
    private static let newest = Result { try catalog.get().version(forNewStore: nil) }

    private static func convert(_ path: String, to type: PersistentStoreType, _ name: String) throws {
        let target = FuzzDriver.scratch + name
        StoreFiles(target).remove()
        let version = try newest.get()
        let newStore = NewStore(
            model: version.model, hashes: version.hashes, digest: version.digest, checksum: version.checksum, uuid: "")
        _ = try StoreConverter(
            sources: [.init(path: path, model: version.model)],
            target: .init(path: target, type: type, newStore: newStore), options: ConversionOptions()
        ).convert()
    }

    /// Opens, verifies and converts.
    private static func useSQLite(_ path: String) throws {
        let store = try SQLiteStore(path: path)
        if let document = try? store.cachedModel() { _ = try? ResolvedModel(document.model) }
        let version = try newest.get()
        _ = try? catalog.get().sourceVersion(of: store, named: nil)
        _ = try StoreVerifier(store, model: version.model, hashes: version.hashes).verify().description
        try convert(path, to: .xml, "out.xml")
    }

    /// What SQLite alone can be made to do at length, or to other files.
    private static let passedOver = ["attach", "vacuum", "recursive", "temp_store"]

    /// Statements that an attacker ran on a sound store, before it is opened.
    private static func runStatements(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        guard !passedOver.contains(where: text.lowercased().contains) else { return }
        let whole = FileManager.default.contents(atPath: home + "/Fuzz.sqlite") ?? Data()
        let path = FuzzDriver.write(Array(whole), as: "schema.sqlite")
        let connection = try Connection(path: path, access: .readWrite)
        for statement in text.split(separator: ";") { try? connection.execute(String(statement)) }
        try? connection.close()
        try useSQLite(path)
    }
}
