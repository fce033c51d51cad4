public import KeyedArchives

/// The default: values of property lists in a keyed archive, by Foundation's own classes only.
public struct KeyedArchiveTransformer: AttributeValueTransformer {
    public init() {}

    public func transformedValue(_ value: PropertyListValue) throws -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let root = try builder.propertyList(value)
        return builder.bytes(root: root)
    }

    public func reverseTransformedValue(_ bytes: [UInt8]) throws -> PropertyListValue {
        try ArchivedValue.object(KeyedArchive(bytes).root()).propertyList()
    }
}
