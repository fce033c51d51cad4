public import PersistentStores

/// Executes migration plans: the result is staged beside the target and renamed over it, written to a new store, or
/// written to the store itself in one transaction.
///
/// At every moment, either the old store is intact or the new one is complete.
public final class MigrationManager {
    let options: MigrationOptions

    /// Creates a manager that executes plans with the options.
    public init(options: MigrationOptions = MigrationOptions()) {
        self.options = options
    }

    /// Executes a plan.
    ///
    /// - Parameters:
    ///   - plan: the plan, which must not be refused.
    ///   - fingerprint: the state of the store's files before the plan was computed.
    /// - Throws: `MigrationError` or `StoreError`; the store is not changed then.
    public func execute(_ plan: MigrationPlan, unchangedSince fingerprint: StoreFingerprint) throws -> MigrationReport {
        try MigrationRun(options: options).execute(plan, unchangedSince: fingerprint)
    }
}
