import ExternalPrograms
import KeyedArchives
public import ManagedObjectModels

extension ValueTransformerRegistry {
    /// The bytes of a transformable attribute for a value that is written as JSON.
    ///
    /// What JSON has no form for is written as transformers that are programs have it: `{"$date": 0}`.
    /// - Parameters:
    ///   - json: the value.
    ///   - attribute: a transformable attribute.
    ///   - entityName: the name of its entity, for messages.
    /// - Returns: what the store keeps; nil for `null`: the attribute has no value then.
    /// - Throws: `ValueTransformerError` for an attribute of another type, a text that is not a value in JSON, a value of
    ///   another class than the model's, and a transformer that is not registered or takes other values; what the
    ///   transformer throws.
    public func bytes(
        ofJSON json: String, for attribute: AttributeDescription, of entityName: String
    ) throws -> [UInt8]? {
        let subject = "\(entityName).\(attribute.name)"
        guard attribute.type == .transformable else {
            throw ValueTransformerError("\(subject) is of type \(attribute.type.name), not transformable")
        }
        let value = try Self.value(ofJSON: json, of: subject)
        if value == .null { return nil }
        if let name = attribute.attributeValueClassName, !value.isInstance(of: name) {
            throw ValueTransformerError("\(subject) has values of the class \(name), and this is of another one")
        }
        guard let transformer = transformer(for: attribute) else {
            throw ValueTransformerError(
                "\(subject) has the value transformer \(attribute.valueTransformerName ?? ""), which is not registered")
        }
        return try Self.bytes(of: value, transformer, subject)
    }

    private static func value(ofJSON json: String, of subject: String) throws(ValueTransformerError)
        -> PropertyListValue
    {
        let text = Array(json.utf8)
        do {
            return try PropertyListJSON.value(JSONLineParser.value(text, in: text.indices))
        } catch let error as JSONLineParser.Failure {
            throw ValueTransformerError("\(subject): column \(error.column) is not JSON: \(error.reason)")
        } catch {
            throw ValueTransformerError("\(subject): \(error)")
        }
    }

    private static func bytes<Transformer: AttributeValueTransformer>(
        of value: PropertyListValue, _ transformer: Transformer, _ subject: String
    ) throws -> [UInt8] {
        guard let value = value as? Transformer.Value else {
            throw ValueTransformerError(
                "the value transformer of \(subject) takes values of \(Transformer.Value.self), and JSON has none")
        }
        return try transformer.transformedValue(value)
    }
}
