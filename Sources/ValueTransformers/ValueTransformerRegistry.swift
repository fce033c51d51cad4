package import ManagedObjectModels

/// Makes the bytes of a transformable attribute of values, and values of the bytes.
public protocol AttributeValueTransformer: Sendable {
    /// What the program sees instead of bytes.
    associatedtype Value

    /// The bytes that the store keeps.
    /// - Throws: any error, for a value that has no bytes.
    func transformedValue(_ value: Value) throws -> [UInt8]

    /// The value that the bytes stand for.
    /// - Throws: any error, for bytes that stand for no value.
    func reverseTransformedValue(_ bytes: [UInt8]) throws -> Value
}

/// The value transformers of a program by the names that models have for them.
///
/// An attribute without a transformer, or with one of Foundation's, has values of property lists as keyed archives.
public struct ValueTransformerRegistry: Sendable {
    private var transformers: [String: any AttributeValueTransformer] = [:]

    /// Makes a registry with the transformer of keyed archives only.
    public init() {}

    /// Returns the registry with one more transformer.
    public func registering(_ transformer: some AttributeValueTransformer, as name: String) -> ValueTransformerRegistry
    {
        var result = self
        result.transformers[name] = transformer
        return result
    }

    /// The transformer of a transformable attribute; nil if its name is not registered.
    package func transformer(for attribute: AttributeDescription) -> (any AttributeValueTransformer)? {
        if let name = attribute.valueTransformerName, let known = transformers[name] { return known }
        return attribute.isKeyedArchive ? KeyedArchiveTransformer() : nil
    }
}
