extension HistoryPruning {
    /// How many transactions and changes were removed, and how many are left.
    public struct Report: Sendable, Codable, Equatable {
        /// The path of the store.
        public let store: String
        /// Whether the pruning was a dry run, which changes nothing.
        public let isDryRun: Bool
        /// How many transactions were removed, or would be.
        public let removedTransactions: Int64
        /// How many changes of objects were removed with them.
        public let removedChanges: Int64
        /// How many transactions are left.
        public let keptTransactions: Int64
        /// How many changes of objects are left.
        public let keptChanges: Int64
    }
}

extension HistoryPruning.Report: CustomStringConvertible {
    public var description: String {
        let verb = isDryRun ? "would be removed" : "removed"
        return "transactions: \(removedTransactions) \(verb), \(keptTransactions) left\n"
            + "changes: \(removedChanges) \(verb), \(keptChanges) left\n"
    }
}
