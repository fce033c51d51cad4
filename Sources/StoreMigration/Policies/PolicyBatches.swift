/// The batches of one phase of a policy, each of them a transaction of the new file.
struct PolicyBatches {
    /// The key that another run has come to: where this one goes on; nil at the beginning.
    let first: Int64?

    /// Begins a batch.
    let begin: () throws -> Void

    /// Ends a batch, and notes the key where the next one begins; nil behind the last one.
    let end: (Int64?) throws -> Void
}
