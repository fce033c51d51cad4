import ExternalPrograms
package import KeyedArchives
public import ManagedObjectModels

extension ValueTransformerRegistry {
    /// Returns the bytes of a transformable attribute for a value in JSON.
    ///
    /// Values without a JSON form are written as for transformers that are programs: `{"$date": 0}`.
    /// - Parameters:
    ///   - json: the value.
    ///   - attribute: a transformable attribute.
    ///   - entityName: the name of its entity, for messages.
    /// - Returns: the bytes for the store; nil for `null`, the attribute has no value.
    /// - Throws: `ValueTransformerError` for an attribute of another type, a text that is not valid JSON, a value of
    ///   another class than the model's, and a transformer that is not registered or does not accept such values; any
    ///   error that the transformer throws.
    public func bytes(
        ofJSON json: String, for attribute: AttributeDescription, of entityName: String
    ) throws -> [UInt8]? {
        let subject = "\(entityName).\(attribute.name)"
        guard attribute.type == .transformable else {
            throw ValueTransformerError("\(subject) is of type \(attribute.type.name), not transformable")
        }
        return try bytes(of: Self.value(ofJSON: Array(json.utf8), subject + ": "), for: attribute, of: entityName)
    }

    /// Returns the bytes for a value; nil for `null`.
    /// - Throws: as `bytes(ofJSON:for:of:)` does.
    package func bytes(
        of value: PropertyListValue, for attribute: AttributeDescription, of entityName: String
    ) throws -> [UInt8]? {
        let subject = "\(entityName).\(attribute.name)"
        if value == .null { return nil }
        if let name = attribute.attributeValueClassName, !value.isInstance(of: name) {
            throw ValueTransformerError("\(subject) has values of the class \(name), and this is of another one")
        }
        return try Self.bytes(of: value, known(attribute, subject), subject)
    }

    /// Returns the value of a transformable attribute's bytes, as JSON in UTF-8 that `bytes(ofJSON:for:of:)` accepts.
    ///
    /// - Parameters:
    ///   - bytes: the bytes in the store.
    ///   - attribute: a transformable attribute.
    ///   - entityName: the name of its entity, for messages.
    /// - Throws: `ValueTransformerError` for a transformer that is not registered or returns other values, and a value
    ///   that JSON cannot represent; `KeyedArchiveError` or `PropertyListError` for bytes that are not a keyed archive
    ///   of such a value; any error that the transformer throws.
    public func json(
        of bytes: [UInt8], for attribute: AttributeDescription, of entityName: String
    ) throws -> [UInt8] {
        var text: [UInt8] = []
        try PropertyListJSON.append(value(of: bytes, for: attribute, of: entityName), to: &text)
        return text
    }

    /// Returns the value of a transformable attribute's bytes.
    /// - Throws: as `json(of:for:of:)` does.
    package func value(
        of bytes: [UInt8], for attribute: AttributeDescription, of entityName: String
    ) throws -> PropertyListValue {
        let subject = "\(entityName).\(attribute.name)"
        guard let value = try known(attribute, subject).reverseTransformedValue(bytes) as? PropertyListValue else {
            throw ValueTransformerError("the value transformer of \(subject) has values that JSON has no form for")
        }
        return value
    }

    private func known(
        _ attribute: AttributeDescription, _ subject: String
    ) throws(ValueTransformerError) -> any AttributeValueTransformer {
        if let transformer = transformer(for: attribute) { return transformer }
        throw ValueTransformerError(
            "\(subject) has the value transformer \(attribute.valueTransformerName ?? ""), which is not registered")
    }

    /// Returns the value of a JSON text in UTF-8.
    /// - Throws: `ValueTransformerError` for a text that is not valid JSON, with the location.
    package static func value(ofJSON text: [UInt8], _ subject: String = "") throws(ValueTransformerError)
        -> PropertyListValue
    {
        do {
            return try PropertyListJSON.value(JSONLineParser.value(text, in: text.indices))
        } catch let error as JSONLineParser.Failure {
            throw ValueTransformerError("\(subject)column \(error.column) is not JSON: \(error.reason)")
        } catch {
            throw ValueTransformerError("\(subject)\(error)")
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
