extension AttributeDescription {
    /// Foundation's transformers, and the constants that people write instead of their names.
    private static let archivers: Set<String> = [
        "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName", "NSSecureUnarchiveFromData",
        "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
    ]

    /// Whether a transformable attribute's values are stored as keyed archives: with no value transformer, or one of
    /// Foundation's. What a transformer of the app makes of a value is known to the app only.
    public var isKeyedArchive: Bool {
        type == .transformable && valueTransformerName.map(Self.archivers.contains) ?? true
    }
}
