import ManagedObjectModels
import MappingDrafting

/// Makes a first version of a mapping file from samples of the sources.
func draftMapping(of sources: [String], model: ResolvedModel) throws -> String {
    try MappingDrafter(model: model).draft(of: sources).yaml
}
