import PersistentStores

/// The result of an edit, or of a dry run.
public struct EditReport: Codable, Hashable, Sendable {
    /// The objects of an entity with the same kind of change.
    public struct Objects: Codable, Hashable, Sendable {
        /// The number of objects.
        public var count: Int64
        /// The URIs of the first of them.
        public var objects: [String]
    }

    /// The path of the store.
    public internal(set) var store: String
    /// Whether it was a dry run, which changes nothing.
    public internal(set) var isDryRun: Bool
    /// The objects that were inserted, by entity. Objects that were changed indirectly, such as those whose links were
    /// removed, are listed as updated.
    public internal(set) var inserted: [String: Objects] = [:]
    /// The objects that were updated, by entity.
    public internal(set) var updated: [String: Objects] = [:]
    /// The objects that were deleted, by entity.
    public internal(set) var deleted: [String: Objects] = [:]
    /// The faults because of which nothing was changed; empty if the edit is valid.
    public internal(set) var faults: [EditFault] = []
    /// Further notes for the user.
    public internal(set) var notes: [String] = []

    init(store: String, isDryRun: Bool) {
        self.store = store
        self.isDryRun = isDryRun
    }

    /// Whether there is anything to change.
    public var isChange: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }

    /// Whether the edit violates no rule of the model.
    public var isValid: Bool { faults.isEmpty }
}

extension EditReport: CustomStringConvertible {
    public var description: String {
        let state = !isValid ? " (refused: nothing has changed)" : isDryRun ? " (dry run: nothing has changed)" : ""
        var text = "Edit of \(store)\(state)\n"
        for (word, objects) in [("inserted", inserted), ("updated", updated), ("deleted", deleted)] {
            for (entity, found) in objects.sorted(by: { $0.key < $1.key }) {
                text += "\(word): \(entity): \(Quantity.count(found.count, "object"))\n"
                text += found.objects.map { "    \($0)\n" }.joined()
            }
        }
        if !isChange, isValid { text += "no object to change\n" }
        for fault in faults {
            text +=
                "error \(fault.code): \(fault.entity).\(fault.property): \(fault.message) "
                + "(\(Quantity.count(fault.count, "object")))\n"
            text += fault.objects.map { "    \($0)\n" }.joined()
        }
        for note in notes { text += "note: \(note)\n" }
        return text
    }
}
