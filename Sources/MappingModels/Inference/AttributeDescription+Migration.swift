public import ManagedObjectModels

extension AttributeDescription {
    /// The value that migrated objects get where they have none: the default; nil if the model has no usable one.
    ///
    /// A derived attribute has none: the store computes it.
    public var defaultForMigration: AttributeValue? {
        guard !isDerived, let defaultValue else { return nil }
        if case .unparsed = defaultValue { return nil }
        return defaultValue
    }
}
