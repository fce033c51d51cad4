/// The batches of one phase of a policy. Each batch is a transaction of the new file.
struct PolicyBatches {
    /// The key at which this run continues the work of an earlier run; nil to begin at the first key.
    let first: Int64?

    /// Begins a batch.
    let begin: () throws -> Void

    /// Ends a batch, and records the key at which the next batch begins; nil after the last batch.
    let end: (Int64?) throws -> Void
}
