import ManagedObjectModels
import SwiftDataModels

/// The entities and the hashes of a schema's newest version.
func hashes(ofSourcesAt path: String) throws -> [String: VersionHash] {
    let versions = try ModelVersions(path: path, swiftData: SwiftDataSelection())
    return ModelHashes.hashes(of: try ResolvedModel(versions.current().model()))
}
