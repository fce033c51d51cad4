extension HistoryPruning {
    /// How many transactions and changes were removed, and how many are left.
    public struct Report: Sendable, Codable, Equatable {
        public let store: String
        public let isDryRun: Bool
        public let removedTransactions: Int64
        public let removedChanges: Int64
        public let keptTransactions: Int64
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
