/// How much a context takes at once; what it does does not depend on it.
public struct ContextLimits: Sendable {
    /// The rows of one block: they are read together, and stay in memory until the last of their objects goes.
    public var rowsPerBlock = 256

    /// The columns that faults read alone when they are asked for them; once more are asked for, rows are read whole.
    /// Faults whose values were fetched, or that are read one by one, are read whole in any case.
    public var columnsPerPart = 4

    /// The keys in one statement that reads rows by their keys.
    public var keysPerStatement = 200

    /// The prefetched rows that are known before those that have gone are looked for.
    public var knownRows = 1024

    /// The statements that are kept ready for each store.
    public var statements = 200

    /// How often hooks may change objects again before a save gives up.
    public var hookRounds = 100

    /// The limits that a context has unless told.
    public init() {}
}
