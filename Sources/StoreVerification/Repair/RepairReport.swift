import PersistentStores

/// The result of a repair, or of a dry run.
public struct RepairReport: Sendable, Hashable, Codable {
    /// One statement, or the removal of files.
    public struct Repair: Sendable, Hashable, Codable {
        /// The code of the rule.
        public let rule: String

        /// `Entity.property`, an entity, or a table.
        public let subject: String

        /// The number of affected objects, rows or files.
        public let count: Int64

        /// Whether they were removed.
        public let removes: Bool

        /// The URIs of some of the objects before the repair.
        public let examples: [String]

        /// The statement; nil for files.
        public let sql: String?

        /// The corresponding repair in a store that is read and written as a whole.
        var inAtomicStore: Repair {
            guard let found = VerificationRule(rawValue: rule) else { return self }
            return Repair(
                rule: found.inAtomicStore.code, subject: subject, count: count, removes: removes, examples: examples,
                sql: sql)
        }
    }

    /// The path of the store.
    public let store: String

    /// The path of the repaired store; that of the store itself if it was replaced.
    public let result: String

    /// Whether it was a dry run, which changes nothing.
    public let isDryRun: Bool

    /// The repairs, in the order in which they were made.
    public let repairs: [Repair]

    /// The remaining findings of all rules.
    public let remaining: [VerificationFinding]

    /// Further notes for the user.
    public let notes: [String]
}

extension RepairReport: CustomStringConvertible {
    public var description: String {
        var text = isDryRun ? "Repair of \(store) (dry run: nothing has changed)\n" : "Repair of \(store)\n"
        if result != store { text += "  result \(result)\n" }
        for repair in repairs {
            text += "\(repair.rule): \(repair.subject): \(Quantity.count(repair.count)) "
            text += (repair.removes ? "removed" : "changed") + "\n"
            text += repair.examples.map { "    \($0)\n" }.joined()
        }
        for note in notes { text += "note: \(note)\n" }
        if repairs.isEmpty { text += "nothing to repair\n" }
        return text + (remaining.isEmpty ? "Nothing is left.\n" : "Left:\n" + remaining.map(\.lines).joined())
    }
}
