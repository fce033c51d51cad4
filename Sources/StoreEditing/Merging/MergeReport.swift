import PersistentStores

/// The result of a merge, or of a dry run.
public struct MergeReport: Codable, Hashable, Sendable {
    /// The path of the source.
    public internal(set) var source: String
    /// The path of the destination.
    public internal(set) var store: String
    /// Whether it was a dry run, which changes nothing.
    public internal(set) var isDryRun: Bool
    /// The objects that were inserted, by entity, with URIs of the destination.
    public internal(set) var inserted: [String: EditReport.Objects] = [:]
    /// Matching objects whose values have changed, and objects that have gained or lost links.
    public internal(set) var updated: [String: EditReport.Objects] = [:]
    /// The number of existing objects that stayed unchanged, by entity.
    public internal(set) var skipped: [String: Int64] = [:]
    /// The number of objects that were deleted from the source, by entity.
    public internal(set) var moved: [String: Int64] = [:]
    /// The number of links that were not made, by relationship: the destination lacks the linked object, or an
    /// unchanged object already leads to another one.
    public internal(set) var linksLeftOut: [String: Int64] = [:]
    /// The faults because of which nothing was changed; empty if the merge is valid.
    public internal(set) var faults: [EditFault] = []
    /// Further notes for the user.
    public internal(set) var notes: [String] = []

    /// Whether the merge violates no rule of the model.
    public var isValid: Bool { faults.isEmpty }

    init(_ edit: EditReport, source: String, store: String, isDryRun: Bool) {
        self.source = source
        self.store = store
        self.isDryRun = isDryRun
        inserted = edit.inserted
        updated = edit.updated
        faults = edit.faults
        notes = edit.notes
    }
}

extension MergeReport: CustomStringConvertible {
    public var description: String {
        let state = !isValid ? " (refused: nothing has changed)" : isDryRun ? " (dry run: nothing has changed)" : ""
        var text = "Merge of \(source) into \(store)\(state)\n"
        for (word, objects) in [("inserted", inserted), ("updated", updated)] {
            for (entity, found) in objects.sorted(by: { $0.key < $1.key }) {
                text += "\(word): \(entity): \(Quantity.count(found.count, "object"))\n"
                text += found.objects.map { "    \($0)\n" }.joined()
            }
        }
        for (word, counts) in [("skipped", skipped), ("moved", moved)] {
            for (entity, count) in counts.sorted(by: { $0.key < $1.key }) {
                text += "\(word): \(entity): \(Quantity.count(count, "object"))\n"
            }
        }
        for (relationship, count) in linksLeftOut.sorted(by: { $0.key < $1.key }) {
            text += "links left out: \(relationship): \(Quantity.count(count))\n"
        }
        if inserted.isEmpty, updated.isEmpty, skipped.isEmpty, isValid { text += "no object to merge\n" }
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
