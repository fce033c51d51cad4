/// A row of a ledger with the outcome of a store.
struct LedgerRow: Sendable {
    let result: StoreResult
    let store: FleetStore

    /// The duration in seconds.
    let seconds: Double

    /// The time at which the store finished, in seconds since 1970.
    let finished: Double
}
