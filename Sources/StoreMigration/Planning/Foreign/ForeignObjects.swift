import PersistentStores
import SQLiteAccess

/// Indexes, triggers and views on Core Data's tables that do not belong to Core Data: they are created again unchanged,
/// or left out and reported.
struct ForeignObjects: Sendable {
    struct Loss: Sendable {
        let object: SchemaObject
        /// SQLite's error message.
        let reason: String
    }

    /// The objects that work with the new tables, in the order in which they were created.
    let kept: [SchemaObject]

    let lost: [Loss]

    /// Indexes with names like Core Data's that neither version requires.
    let stale: [SchemaObject]

    /// Triggers of derived attributes that neither version requires.
    let staleTriggers: [SchemaObject]

    static let none = ForeignObjects(kept: [], lost: [], stale: [], staleTriggers: [])

    private init(kept: [SchemaObject], lost: [Loss], stale: [SchemaObject], staleTriggers: [SchemaObject]) {
        self.kept = kept
        self.lost = lost
        self.stale = stale
        self.staleTriggers = staleTriggers
    }

    /// Tries every object on the future tables.
    ///
    /// Throws `SQLiteError` if there is not enough memory.
    init(
        schema: StoreSchema, source: StoreLayout, destination: StoreLayout, keptTables: KeptTables
    ) throws(SQLiteError) {
        let owned = ProgramBuilder.ownedTables(of: source).union(KeptTables.bookkeeping)
        let written = DerivedAttributeTriggers(layout: destination).triggerNames
        let derived = UnwrittenTriggers(source: source, destination: destination)
        let objects = schema.objects.filter {
            Self.isForeign($0, owned: owned) || (!written.contains($0.name) && derived.areOf($0))
        }
        staleTriggers = schema.objects.filter { object in
            object.kind == .trigger && !written.contains(object.name) && !objects.contains(object)
        }
        let wanted = Set(destination.indexes().indexes.map(\.name))
        stale = IndexReconciliation(schema: schema, wanted: source.indexes().indexes, owned: owned).dropped.filter {
            !Self.isForeign($0, owned: owned) && !wanted.contains($0.name)
        }
        guard !objects.isEmpty else {
            (kept, lost) = ([], [])
            return
        }
        let sketch = try SchemaSketch(of: destination, keptTables: keptTables)
        var kept: [SchemaObject] = []
        var lost: [Loss] = []
        // Triggers may need views, so views are created first; otherwise the original order is kept.
        for kind in [SchemaObject.Kind.index, .view, .trigger] {
            for object in objects where object.kind == kind {
                if let reason = try sketch.reason(against: object) {
                    lost.append(Loss(object: object, reason: reason))
                } else {
                    kept.append(object)
                }
            }
        }
        self.kept = kept
        self.lost = lost
    }

    /// - Parameter owned: Core Data's own tables, in upper case.
    private static func isForeign(_ object: SchemaObject, owned: Set<String>) -> Bool {
        guard object.sql != nil else { return false }
        let isOnOwned = owned.contains(object.table.uppercased())
        switch object.kind {
        case .view: return true
        // The triggers of derived attributes (docs/format/sqlite-store.md#derived-attributes).
        case .trigger: return !(isOnOwned && object.name.hasPrefix("Z_DA_"))
        // Other indexes are kept with their tables.
        case .index: return isOnOwned && !isNamedAsCoreDataDoes(object.name)
        }
    }

    /// Returns whether an index has one of Core Data's forms of names: `Z_Entity_name`, `ZTABLE_ZCOLUMN_INDEX`,
    /// `ZTABLE_ZFIRST_ZSECOND` (docs/format/sqlite-store.md#indexes).
    private static func isNamedAsCoreDataDoes(_ index: String) -> Bool {
        index.hasPrefix("Z_") || (index.hasPrefix("Z") && index == index.uppercased())
    }
}

extension ForeignObjects {
    /// The findings about these objects.
    var findings: [MigrationFinding] {
        var result = lost.map { MigrationFinding(loss: $0.object, reason: $0.reason) }
        if !kept.isEmpty {
            let names = kept.map { "\($0.kind.rawValue) \($0.name)" }
            result.append(
                MigrationFinding(
                    .note, "objects-kept", message: "created again unchanged: \(Self.list(names))",
                    count: Int64(kept.count)))
        }
        if !stale.isEmpty {
            result.append(
                MigrationFinding(
                    .note, "indexes-dropped",
                    message: "neither version of the model needs these indexes, and they are not created again: "
                        + Self.list(stale.map(\.name)), count: Int64(stale.count)))
        }
        if !staleTriggers.isEmpty {
            result.append(
                MigrationFinding(
                    .note, "triggers-dropped",
                    message:
                        "the derived attributes of these triggers are gone or derived in another way, and they are "
                        + "not created again: " + Self.list(staleTriggers.map(\.name)),
                    count: Int64(staleTriggers.count)))
        }
        return result
    }

    /// Returns the first of several names as a list.
    private static func list(_ names: [String]) -> String {
        let limit = 20
        let rest = names.count > limit ? ["and \(names.count - limit) more"] : []
        return (names.prefix(limit) + rest).joined(separator: ", ")
    }
}

extension MigrationFinding {
    init(loss object: SchemaObject, reason: String) {
        let message =
            "the \(object.kind.rawValue) \(object.name) does not work with the new tables (\(reason)) and "
            + "is left out; change its statement and create it again"
        switch object.kind {
        case .trigger: self.init(.warning, "trigger-lost", subject: object.table, message: message)
        case .view: self.init(.warning, "view-lost", subject: object.name, message: message)
        case .index: self.init(.warning, "index-lost", subject: object.table, message: message)
        }
    }
}
