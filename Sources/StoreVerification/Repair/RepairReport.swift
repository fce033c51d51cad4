import PersistentStores

/// What a repair did, or would do.
public struct RepairReport: Sendable, Hashable, Codable {
    /// One statement, or the removal of files.
    public struct Repair: Sendable, Hashable, Codable {
        /// The rule's code.
        public let rule: String

        /// `Entity.property`, an entity, or a table.
        public let subject: String

        /// How many objects, rows or files it concerns.
        public let count: Int64

        /// Whether these were removed.
        public let removes: Bool

        /// URIs of some of the objects, from before the repair.
        public let examples: [String]

        /// The statement; nil for files.
        public let sql: String?

        /// The same as a store has it that is read and written as a whole.
        var inAtomicStore: Repair {
            guard let found = VerificationRule(rawValue: rule) else { return self }
            return Repair(
                rule: found.inAtomicStore.code, subject: subject, count: count, removes: removes, examples: examples,
                sql: sql)
        }
    }

    /// The path of the store that was to be repaired.
    public let store: String

    /// Where the repaired store is; the store itself where it was replaced.
    public let result: String

    /// Whether nothing was changed: it only says what would be.
    public let isDryRun: Bool

    /// What was repaired, in the order in which it was done.
    public let repairs: [Repair]

    /// What is still wrong, of whatever rule.
    public let remaining: [VerificationFinding]

    /// What else the user should know.
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
