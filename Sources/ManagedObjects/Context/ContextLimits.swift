/// Limits on what a context reads and keeps at once; they do not affect its results.
public struct ContextLimits: Sendable {
    /// The number of rows in one block: they are read together, and stay in memory until the last of their objects is
    /// released.
    public var rowsPerBlock = 256

    /// The number of columns that faults read separately when requested; when more are requested, whole rows are read.
    /// Faults whose values were fetched, or that are read one by one, always read whole rows.
    public var columnsPerPart = 4

    /// The number of keys in one statement that reads rows by their keys.
    public var keysPerStatement = 200

    /// The number of known prefetched rows at which released rows are removed from the list.
    public var knownRows = 1024

    /// The number of prepared statements that are kept for each store.
    public var statements = 200

    /// How often hooks may change objects again before a save fails.
    public var hookRounds = 100

    /// Makes the default limits.
    public init() {}
}
