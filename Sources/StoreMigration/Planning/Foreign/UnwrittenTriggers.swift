import ManagedObjectModels
import PersistentStores

/// Triggers of derived attributes that Ferry cannot generate. They are copied unchanged if the attribute is kept.
struct UnwrittenTriggers {
    /// Parts of the triggers' names (docs/format/sqlite-store.md#derived-attributes).
    private let parts: [String]

    init(source: StoreLayout, destination: StoreLayout) {
        let unwritten = DerivedAttributeTriggers(layout: destination).unsupportedKeys
        parts = destination.model.entities.flatMap { entity in
            entity.declaredAttributes.compactMap { attribute -> String? in
                let old = source.model.entity(named: entity.name)?.attribute(named: attribute.name)
                guard unwritten.contains(attribute.key),
                    old?.description.derivationExpression == attribute.description.derivationExpression
                else { return nil }
                return "_\(entity.name)_\(attribute.name)_"
            }
        }
    }

    func areOf(_ object: SchemaObject) -> Bool {
        object.kind == .trigger && object.name.hasPrefix("Z_DA_") && parts.contains { object.name.contains($0) }
    }
}
