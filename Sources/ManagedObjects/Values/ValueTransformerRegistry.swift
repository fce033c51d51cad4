import KeyedArchives

/// Makes the bytes of a transformable attribute of values, and values of the bytes.
public protocol AttributeValueTransformer: Sendable {
    associatedtype Value

    /// The bytes that the store keeps.
    func transformedValue(_ value: Value) throws -> [UInt8]

    /// The value that the bytes stand for.
    func reverseTransformedValue(_ bytes: [UInt8]) throws -> Value
}

/// The value transformers of a program by the names that models have for them.
///
/// An attribute without a transformer, or with one of Foundation's, has values of property lists as keyed archives.
public struct ValueTransformerRegistry: Sendable {
    private var transformers: [String: any AttributeValueTransformer] = [:]

    public init() {}

    /// The same with a transformer more.
    public func registering(_ transformer: some AttributeValueTransformer, as name: String) -> ValueTransformerRegistry
    {
        var result = self
        result.transformers[name] = transformer
        return result
    }

    /// The transformer of a name; nil if it is not registered.
    func transformer(named name: String) -> (any AttributeValueTransformer)? { transformers[name] }
}
