import ManagedObjectModels

/// Types of the Swift standard library and of frameworks.
enum ExternalTypes {
    /// Types that are confirmed by real stores, with their other names in the language.
    static let certain: [String: AttributeType] = [
        "String": .string, "Bool": .boolean, "Int": .integer64, "Int64": .integer64, "UInt64": .integer64,
        "Int32": .integer32, "UInt32": .integer32, "Int16": .integer16, "UInt8": .integer16, "Double": .double,
        "Float64": .double, "TimeInterval": .double, "Float": .float, "Float32": .float, "Date": .date,
        "Data": .binaryData, "UUID": .uuid, "URL": .uri, "Decimal": .decimal,
    ]

    /// Types that are not confirmed by any store: the shape of the most similar type first, then other possible ones.
    static let byAnalogy: [String: (AttributeType, [AttributeType])] = [
        "UInt": (.integer64, [.decimal, .transformable]), "UInt16": (.integer16, [.integer32]),
        "Int8": (.integer16, [.integer32]), "CGFloat": (.double, [.float, .integer64]),
    ]

    /// Structures of frameworks whose elements are Float.
    static let composites: [String: [String]] = [
        "Color.Resolved": ["linearRed", "linearGreen", "linearBlue", "opacity"]
    ]
}

extension AttributeDescription {
    /// Returns a transformable attribute, which SwiftData archives.
    static func transformable(_ name: String, valueClass: String?, isOptional: Bool) -> AttributeDescription {
        AttributeDescription(
            name: name, type: .transformable, isOptional: isOptional,
            valueTransformerName: "NSSecureUnarchiveFromData", attributeValueClassName: valueClass)
    }
}
