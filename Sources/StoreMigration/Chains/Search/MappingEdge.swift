import MappingModels

/// A mapping model, and the versions between which it leads.
struct MappingEdge: Sendable {
    let document: MappingModelDocument
    let source: VersionedModel
    let destination: VersionedModel
}
