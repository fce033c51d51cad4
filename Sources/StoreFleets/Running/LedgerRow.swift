/// A row of a ledger that says what became of a store.
struct LedgerRow: Sendable {
    let result: StoreResult
    let store: FleetStore

    /// How long the work took.
    let seconds: Double

    /// When it was done, in seconds since 1970.
    let finished: Double
}
