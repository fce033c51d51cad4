import DocumentReading
import ImportMappings
import ManagedObjectModels

/// Checks a mapping file against a model; returns the names of the entities whose objects it makes.
func entities(mappedIn path: String, model: ResolvedModel, show: (String) -> Void) throws -> [String] {
    let document = try ImportMappingReader.read(path: path)
    for warning in try document.review(for: model) { show(warning.description) }
    return document.mapping.sources.flatMap(\.objects).map(\.entity)
}
