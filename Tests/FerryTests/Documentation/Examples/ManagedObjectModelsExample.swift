import ManagedObjectModels

/// The entities of the current version of a model with their version hashes.
func versionHashes(of models: String) throws -> [String: String] {
    let model = try ResolvedModel(ModelVersions(path: models).current().model())
    return ModelHashes.hashes(of: model).mapValues(\.hex)
}
