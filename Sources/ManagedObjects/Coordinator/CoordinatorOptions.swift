public import ManagedObjectModels
public import StoreConversion
public import ValueTransformers

/// The settings of a coordinator besides the model: the program's classes, rules, transformers and store types.
public struct CoordinatorOptions: Sendable {
    /// The Swift classes of entities.
    public var classes = ManagedObjectClasses()
    /// The rules of the program, in addition to those of the model.
    public var validators = ObjectValidators()
    /// The value transformers of transformable attributes.
    public var transformers = ValueTransformerRegistry()
    /// The known types of stores.
    public var registry = PersistentStoreRegistry.standard

    /// The localization of validation errors; nil for the names in the model.
    public var localization: LocalizationDictionary?

    /// Whether a store must have the version hashes of the model. If false, a store whose hashes cannot be computed can
    /// be opened; tables and columns must still exist.
    public var checksVersionHashes = true

    /// Called after each successful operation of a context on the stores, in the task of the context; it must not use
    /// the context.
    public var onEvent: (@Sendable (ContextEvent) -> Void)?

    /// Makes the default options, without classes, rules and transformers.
    public init() {}
}
