/// An actor with a context of its own: work on objects in it, and get values, IDs and snapshots out of it.
///
///     let names = try await actor.perform { context in
///         try context.fetch("Employee").map { try $0.snapshot() }
///     }
public actor ContextActor {
    /// The coordinator whose stores the context works on.
    public nonisolated let coordinator: PersistentStoreCoordinator
    private let limits: ContextLimits
    private var made: ManagedObjectContext?

    /// Makes an actor; its context is made when it is first needed.
    public init(_ coordinator: PersistentStoreCoordinator, limits: ContextLimits = ContextLimits()) {
        self.coordinator = coordinator
        self.limits = limits
    }

    private var context: ManagedObjectContext {
        if let made { return made }
        let context = ManagedObjectContext(coordinator, limits: limits)
        made = context
        return context
    }

    /// Runs work with the context, one after the other. Objects cannot leave it: what it returns is `Sendable`.
    public func perform<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) rethrows -> Result { try body(context) }
}
