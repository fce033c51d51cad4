import ManagedObjectModels

/// Types of Swift and of frameworks.
enum ExternalTypes {
    /// Types that real stores have shown, with the other names that the language gives them.
    static let certain: [String: AttributeType] = [
        "String": .string, "Bool": .boolean, "Int": .integer64, "Int64": .integer64, "UInt64": .integer64,
        "Int32": .integer32, "UInt32": .integer32, "Int16": .integer16, "UInt8": .integer16, "Double": .double,
        "Float64": .double, "TimeInterval": .double, "Float": .float, "Float32": .float, "Date": .date,
        "Data": .binaryData, "UUID": .uuid, "URL": .uri, "Decimal": .decimal,
    ]

    /// Types that no store has shown: the nearest relative first, then others that it may be.
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
    /// An attribute that SwiftData archives.
    static func transformable(_ name: String, valueClass: String?, isOptional: Bool) -> AttributeDescription {
        AttributeDescription(
            name: name, type: .transformable, isOptional: isOptional,
            valueTransformerName: "NSSecureUnarchiveFromData", attributeValueClassName: valueClass)
    }
}
