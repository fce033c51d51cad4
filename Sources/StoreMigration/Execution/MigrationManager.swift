public import PersistentStores

/// Executes migration plans: staged beside the target and renamed over it, into a new store, or in one transaction.
///
/// Whatever happens, the old store is intact or the new one is whole.
public final class MigrationManager {
    let options: MigrationOptions

    /// Makes a manager that executes plans with some options.
    public init(options: MigrationOptions = MigrationOptions()) {
        self.options = options
    }

    /// Executes a plan.
    ///
    /// - Parameters:
    ///   - plan: the plan, which must not be refused.
    ///   - fingerprint: what the store's files looked like before the plan was computed.
    /// - Throws: `MigrationError` or `StoreError`; the store is as it was.
    public func execute(_ plan: MigrationPlan, unchangedSince fingerprint: StoreFingerprint) throws -> MigrationReport {
        try MigrationRun(options: options).execute(plan, unchangedSince: fingerprint)
    }
}
