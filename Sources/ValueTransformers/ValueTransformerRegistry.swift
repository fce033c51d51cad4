package import ManagedObjectModels

/// Converts the values of a transformable attribute to bytes, and back.
public protocol AttributeValueTransformer: Sendable {
    /// The type of the values in the program.
    associatedtype Value

    /// Returns the bytes for the store.
    /// - Throws: any error, for a value that cannot be converted.
    func transformedValue(_ value: Value) throws -> [UInt8]

    /// Returns the value that the bytes represent.
    /// - Throws: any error, for invalid bytes.
    func reverseTransformedValue(_ bytes: [UInt8]) throws -> Value
}

/// The value transformers of a program by their names in models.
///
/// An attribute without a transformer, or with one of Foundation's, has property list values in keyed archives.
public struct ValueTransformerRegistry: Sendable {
    private var transformers: [String: any AttributeValueTransformer] = [:]

    /// Makes a registry that contains only the transformer for keyed archives.
    public init() {}

    /// Returns the registry with a transformer added.
    public func registering(_ transformer: some AttributeValueTransformer, as name: String) -> ValueTransformerRegistry
    {
        var result = self
        result.transformers[name] = transformer
        return result
    }

    /// Returns the transformer of a transformable attribute; nil if its name is not registered.
    package func transformer(for attribute: AttributeDescription) -> (any AttributeValueTransformer)? {
        if let name = attribute.valueTransformerName, let known = transformers[name] { return known }
        return attribute.isKeyedArchive ? KeyedArchiveTransformer() : nil
    }
}
