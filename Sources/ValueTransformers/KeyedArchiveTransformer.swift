public import KeyedArchives

/// The default transformer: property list values in a keyed archive, with Foundation's own classes only.
public struct KeyedArchiveTransformer: AttributeValueTransformer {
    /// Makes the transformer, which has no state.
    public init() {}

    /// Returns a keyed archive of the value.
    /// - Throws: `PropertyListError` for a reference into another archive.
    public func transformedValue(_ value: PropertyListValue) throws -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let root = try builder.propertyList(value)
        return builder.bytes(root: root)
    }

    /// Returns the value of a keyed archive.
    /// - Throws: `KeyedArchiveError` or `PropertyListError` if the bytes are not an archive, or contain other classes.
    public func reverseTransformedValue(_ bytes: [UInt8]) throws -> PropertyListValue {
        try KeyedArchive(bytes).rootValue().propertyList()
    }
}
