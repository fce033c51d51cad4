import GeneratedStores
import ManagedObjectModels
import StoreConversion

/// An entity with one attribute of a type.
enum ValueForm {
    static func model(_ type: AttributeType, external: Bool = false) throws -> ResolvedModel {
        try ResolvedModel(
            ManagedObjectModel(entities: [entity("Thing", [attribute("value", type, external: external)])]))
    }

    static func form(_ type: AttributeType) -> EntityForm {
        guard let model = try? model(type) else { preconditionFailure("the model is right") }
        return ObjectForms(model).entities[0]
    }
}
