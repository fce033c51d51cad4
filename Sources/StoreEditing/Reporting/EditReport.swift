import PersistentStores

/// What an edit did, or would do.
public struct EditReport: Codable, Hashable, Sendable {
    /// The objects of an entity with one fate.
    public struct Objects: Codable, Hashable, Sendable {
        /// How many objects there are.
        public var count: Int64
        /// The URIs of the first of them.
        public var objects: [String]
    }

    /// The path of the store.
    public internal(set) var store: String
    /// Whether the store is as it was because only a dry run was asked for.
    public internal(set) var isDryRun: Bool
    /// The objects that were made, by entity. Objects that were changed along with others, such as those whose links
    /// were taken away, count among the updated ones.
    public internal(set) var inserted: [String: Objects] = [:]
    /// The objects that were changed, by entity.
    public internal(set) var updated: [String: Objects] = [:]
    /// The objects that were deleted, by entity.
    public internal(set) var deleted: [String: Objects] = [:]
    /// Why nothing was changed; empty if the edit is valid.
    public internal(set) var faults: [EditFault] = []
    /// What else the user should know.
    public internal(set) var notes: [String] = []

    init(store: String, isDryRun: Bool) {
        self.store = store
        self.isDryRun = isDryRun
    }

    /// Whether there is anything to change.
    public var isChange: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }

    /// Whether the edit breaks no rule of the model.
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
