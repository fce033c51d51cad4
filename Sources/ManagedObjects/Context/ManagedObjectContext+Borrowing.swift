public import ManagedObjectModels
public import PersistentStores

extension ManagedObjectContext {
    /// Makes a context on an open store within a transaction, for the code of a migration stage.
    ///
    /// Its saves are part of that transaction, and are committed or rolled back with it. Large values stay in their
    /// rows. The context and its objects must be released before the transaction ends.
    /// - Parameters:
    ///   - store: the open store; its connection is within a transaction.
    ///   - model: the model version whose tables the store has: the old one before a step, the new one after it.
    ///   - options: the program's classes, rules and transformers.
    ///   - limits: the limits of the context.
    /// - Throws: `ManagedObjectError` if the store lacks tables or columns of the model.
    public convenience init(
        within store: SQLiteStore, model: ResolvedModel, options: CoordinatorOptions = CoordinatorOptions(),
        limits: ContextLimits = ContextLimits()
    ) throws {
        let coordinator = PersistentStoreCoordinator(model: model, options: options)
        let adopted = try coordinator.adopt(store)
        self.init(coordinator, limits: limits)
        try (source as? StoreSource)?.borrow(store, as: adopted)
    }
}
