public import ManagedObjectModels
public import StoreConversion
public import ValueTransformers

/// What a coordinator knows beside the model: the program's classes, rules, transformers and types of stores.
public struct CoordinatorOptions: Sendable {
    /// The Swift classes of entities.
    public var classes = ManagedObjectClasses()
    /// The rules of the program, beside those of the model.
    public var validators = ObjectValidators()
    /// The value transformers of transformable attributes.
    public var transformers = ValueTransformerRegistry()
    /// The types of stores that are known.
    public var registry = PersistentStoreRegistry.standard

    /// The texts of validation errors in a language; nil for the names in the model.
    public var localization: LocalizationDictionary?

    /// Whether a store must have the version hashes of the model. Without this, a store whose hashes cannot be computed
    /// can be opened all the same; tables and columns must still be there.
    public var checksVersionHashes = true

    /// Told what contexts have stores do, when it is done, in the task of the context; it must not use the context. What
    /// fails is not told.
    public var onEvent: (@Sendable (ContextEvent) -> Void)?

    /// Makes options without classes, rules and transformers of the program's own.
    public init() {}
}
