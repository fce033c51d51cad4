import ManagedObjectModels
import MappingModels

/// The inferred mapping model between two versions as YAML, or why it cannot be inferred.
func inferredMapping(models: String, from source: String, to destination: String) throws -> String {
    let versions = try ModelVersions(path: models)
    let correspondence = ModelCorrespondence(
        source: try ResolvedModel(versions.version(source).model()),
        destination: try ResolvedModel(versions.version(destination).model()))
    let mapping = InferredMapping(correspondence)
    guard mapping.isInferable else { return mapping.failures.map(\.description).joined(separator: "\n") }
    return MappingModelWriter.yaml(mapping.editableModel)
}
