import ManagedObjectModels
import MappingModels

func resolved(_ entities: [EntityDescription]) throws -> ResolvedModel {
    try ResolvedModel(ManagedObjectModel(entities: entities))
}

func correspondence(_ source: [EntityDescription], _ destination: [EntityDescription]) throws -> ModelCorrespondence {
    ModelCorrespondence(source: try resolved(source), destination: try resolved(destination))
}

func infer(_ source: [EntityDescription], _ destination: [EntityDescription]) throws -> InferredMapping {
    InferredMapping(try correspondence(source, destination))
}
