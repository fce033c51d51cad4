import ManagedObjectModels
import ModelDiagrams

/// The current version of a model as an SVG file.
func diagram(of models: String) throws -> String {
    let version = try ModelVersions(path: models).current()
    return try EntityDiagram(of: ResolvedModel(version.model()), title: version.name).svg()
}
