import Foundation
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreVerification
import TestSupport

/// A sound store of the sample Recipes, which has something of everything.
struct SampleStore {
    let directory: TemporaryDirectory
    let path: String
    let model: ResolvedModel

    init() throws {
        directory = try TemporaryDirectory()
        path = try Samples.buildStore("Recipes", in: directory)
        model = try ResolvedModel(ModelVersions(path: Samples.models("Recipes")).version("Recipes 1").model())
    }

    var files: StoreFiles { StoreFiles(path) }

    /// Runs statements without the store's triggers.
    func execute(_ sql: String) throws {
        let connection = try Connection(path: path, access: .readWrite)
        connection.setTriggersEnabled(false)
        try connection.execute(sql)
        try connection.close()
    }

    func report(_ options: StoreVerifier.Options = .init()) throws -> VerificationReport {
        try StoreVerifier(SQLiteStore(path: path), model: model, options: options).verify()
    }

    /// How many are found, by code.
    func counts() throws -> [String: Int64] {
        try report().findings.reduce(into: [:]) { $0[$1.code, default: 0] += $1.count }
    }
}
