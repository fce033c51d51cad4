/// An actor with its own context: work on objects inside it, and return values, IDs and snapshots from it.
///
///     let names = try await actor.perform { context in
///         try context.fetch("Employee").map { try $0.snapshot() }
///     }
public actor ContextActor {
    /// The coordinator whose stores the context uses.
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

    /// Runs a closure with the context; calls are serialized. Objects cannot leave it, since the result must be
    /// `Sendable`.
    public func perform<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) rethrows -> Result { try body(context) }
}
