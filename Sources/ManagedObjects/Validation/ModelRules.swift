import KeyedArchives
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// The rules of a model for the objects of each entity, prepared once.
final class ModelRules: Sendable {
    struct Attribute: Sendable {
        let slot: Int
        let rules: AttributeRules
        let validators: [ObjectValidators.Rule]
    }

    private struct Entity: Sendable {
        /// The attributes with constraints on their values.
        var attributes: [Attribute] = []
        /// Rules of the program for objects as a whole.
        var objects: [(changes: Set<ObjectValidators.Change>, rule: ObjectValidators.ObjectRule)] = []
        var defaults: [(slot: Int, value: AttributeValue)] = []
    }

    private let entities: [Entity]

    init(_ model: ObjectModel, _ options: CoordinatorOptions) {
        entities = model.shapes.map { shape in
            let validators = options.validators.rules(for: shape.entity, in: model.resolved)
            var entity = Entity()
            entity.objects = options.validators.objectRules(for: shape.entity, in: model.resolved)
            for (slot, attribute) in shape.attributes.enumerated() {
                let description = attribute.attribute
                if !description.isDerived {
                    let rules = AttributeRules(description, localization: options.localization)
                    let own = validators[description.name] ?? []
                    if !rules.isOptional || rules.hasRules || !own.isEmpty {
                        entity.attributes.append(Attribute(slot: slot, rules: rules, validators: own))
                    }
                }
                if let value = Self.defaultValue(of: description) { entity.defaults.append((slot, value)) }
            }
            return entity
        }
    }

    func attributes(of slot: Int) -> [Attribute] { entities[slot].attributes }

    func objectRules(of slot: Int, on change: ObjectValidators.Change) -> [ObjectValidators.ObjectRule] {
        entities[slot].objects.filter { $0.changes.contains(change) }.map(\.rule)
    }

    func defaults(of slot: Int) -> [(slot: Int, value: AttributeValue)] { entities[slot].defaults }

    private static func defaultValue(of attribute: ResolvedAttribute) -> AttributeValue? {
        guard !attribute.isDerived, let value = attribute.description.defaultValue else { return nil }
        switch value {
        case .unparsed: return nil
        case .array:
            guard attribute.description.isKeyedArchive else { return nil }
            return StoredValue.stored(value, as: attribute.type).blob.map { .binary($0) }
        default: return StoredForm.adapted(value, to: attribute.type)
        }
    }
}
