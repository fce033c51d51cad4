public import ManagedObjectModels

extension AttributeDescription {
    /// The value of migrated objects that have none: the default; nil if the model has no usable one.
    ///
    /// It is nil for a derived attribute, which the store computes.
    public var defaultForMigration: AttributeValue? {
        guard !isDerived, let defaultValue else { return nil }
        if case .unparsed = defaultValue { return nil }
        return defaultValue
    }
}
