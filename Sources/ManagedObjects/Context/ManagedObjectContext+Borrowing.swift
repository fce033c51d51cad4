public import ManagedObjectModels
public import PersistentStores

extension ManagedObjectContext {
    /// A context on a store that is open within a transaction, as the code of a stage of a migration has it.
    ///
    /// Its saves are parts of that transaction, and last or go with it. Large values stay in their rows. The context must
    /// be gone, with its objects, before the transaction ends.
    /// - Parameter model: the version whose tables the store has: before a step the old one, behind it the new one.
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
