import KeyedArchives
import ManagedObjectModels
import ValueTransformers

/// What a store keeps for a value of a transformable attribute; a value transformer `Backwards` is known.
func storedBytes(ofJSON json: String, for attribute: AttributeDescription) throws -> [UInt8]? {
    try ValueTransformerRegistry().registering(BackwardsTransformer(), as: "Backwards")
        .bytes(ofJSON: json, for: attribute, of: "Label")
}

/// Keeps texts backwards.
struct BackwardsTransformer: AttributeValueTransformer {
    func transformedValue(_ value: PropertyListValue) throws -> [UInt8] {
        guard case .string(let text) = value else { throw ValueTransformerError("only texts go backwards") }
        return Array(String(text.reversed()).utf8)
    }

    func reverseTransformedValue(_ bytes: [UInt8]) throws -> PropertyListValue {
        .string(String(String(decoding: bytes, as: UTF8.self).reversed()))
    }
}
