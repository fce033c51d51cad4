public import ManagedObjectModels
public import StoreConversion

/// What a coordinator knows beside the model: the program's classes, rules, transformers and types of stores.
public struct CoordinatorOptions: Sendable {
    public var classes = ManagedObjectClasses()
    public var validators = ObjectValidators()
    public var transformers = ValueTransformerRegistry()
    public var registry = PersistentStoreRegistry.standard

    /// The texts of validation errors in a language.
    public var localization: LocalizationDictionary?

    /// Whether a store must have the version hashes of the model. Without this, a store whose hashes cannot be computed
    /// can be opened all the same; tables and columns must still be there.
    public var checksVersionHashes = true

    public init() {}
}
