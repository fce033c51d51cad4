extension AttributeDescription {
    /// Foundation's transformers, and the constants that people use by mistake instead of their names.
    private static let archivers: Set<String> = [
        "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName", "NSSecureUnarchiveFromData",
        "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
    ]

    /// Whether a transformable attribute's values are stored as keyed archives: it has no value transformer, or one of
    /// Foundation's. Only the app knows the output of its own transformers.
    public var isKeyedArchive: Bool {
        type == .transformable && valueTransformerName.map(Self.archivers.contains) ?? true
    }
}
