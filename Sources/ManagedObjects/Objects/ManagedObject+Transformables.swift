import KeyedArchives
import ManagedObjectModels
import ValueTransformers

extension ManagedObject {
    /// Returns the value of a transformable attribute, converted by its value transformer; nil for none.
    ///
    /// - Throws: `ManagedObjectError` for an attribute that is not transformable, an unregistered transformer, and
    ///   values of another type; `StoreError` if the store cannot be read; any error that the transformer throws.
    public final func value<Value>(of key: TransformableKey<Value>) throws -> Value? {
        let slot = try attributeSlot(key.name)
        guard case .binary(let bytes)? = try accessing(key.name, { try currentValue(slot) }) else { return nil }
        guard let value = try reverse(bytes, transformer(slot)) as? Value else {
            throw mismatch(key.name, "its values are not \(Value.self)")
        }
        return value
    }

    /// Sets a transformable attribute; a value that the transformer cannot convert is an error here, not at the save.
    /// - Throws: `ManagedObjectError` for an unknown attribute, an unregistered transformer, or a value of another
    ///   class; `StoreError` if the store cannot be read; any error that the transformer throws.
    public final func setValue<Value>(_ value: Value?, of key: TransformableKey<Value>) throws {
        let slot = try attributeSlot(key.name)
        guard let value else {
            try setValue(nil, forAttribute: key.name)
            return
        }
        let bytes = try transformed(value, transformer(slot), key.name)
        if let name = shape.attributes[slot].attribute.description.attributeValueClassName {
            guard (value as? PropertyListValue)?.isInstance(of: name) ?? true else {
                throw mismatch(key.name, "the value is not a \(name)")
            }
        }
        try setValue(.binary(bytes), forAttribute: key.name)
    }

    /// The value of a transformable attribute; errors are recorded in the context, as with other attributes.
    public final subscript<Value>(key: TransformableKey<Value>) -> Value? {
        get { noting { try value(of: key) } }
        set { noting { try setValue(newValue, of: key) } }
    }

    private func transformer(_ slot: Int) throws -> any AttributeValueTransformer {
        let attribute = shape.attributes[slot].attribute
        guard attribute.type == .transformable else { throw mismatch(attribute.name, "it is not transformable") }
        let transformers = try requiredContext().coordinator.options.transformers
        guard let transformer = transformers.transformer(for: attribute.description) else {
            throw ManagedObjectError(
                .valueTransformerMissing(
                    attribute.description.valueTransformerName ?? "", attribute: "\(shape.name).\(attribute.name)"))
        }
        return transformer
    }

    private func reverse<Transformer: AttributeValueTransformer>(
        _ bytes: [UInt8], _ transformer: Transformer
    ) throws -> Any { try transformer.reverseTransformedValue(bytes) }

    private func transformed<Transformer: AttributeValueTransformer>(
        _ value: Any, _ transformer: Transformer, _ name: String
    ) throws -> [UInt8] {
        guard let value = value as? Transformer.Value else {
            throw mismatch(name, "its transformer takes \(Transformer.Value.self)")
        }
        return try transformer.transformedValue(value)
    }
}
