import ManagedObjectModels
public import PersistentStores

/// What a conversion would do.
public struct ConversionPlan: Sendable {
    /// A store that is converted.
    public struct Part: Sendable {
        /// The path of the store.
        public let path: String
        /// The type of the store.
        public let type: PersistentStoreType
        /// The names of its model's entities, sorted.
        public let entities: [String]
        /// Objects by entity; nil if only reading the whole file would tell.
        public let rows: [String: Int64]?
        /// The entities that the new store has not.
        public let outside: [String]
        /// Whether the store keeps persistent history, which stays behind.
        public let hasHistory: Bool
        /// The names of tables that are not Core Data's, which stay behind.
        public let otherTables: [String]

        /// Whether it is a SQLite store.
        public var isSQLite: Bool { type == .sqlite }
    }

    /// The stores that are converted.
    public let parts: [Part]
    /// The path of the new store.
    public let target: String
    /// The type of the new store.
    public let targetType: PersistentStoreType

    /// What the new store will say of itself.
    public let metadata: StoreMetadata

    /// The settings of a new SQLite store: those that were asked for, and the old store's kind of vacuum.
    public let pragmas: StorePragmas

    /// Whether every object keeps its key.
    public let keepsKeys: Bool

    /// Whether objects go through a SQLite store beside the new one.
    public let isThroughSQLite: Bool

    /// What writes the rows of a SQLite store; nil if there is none.
    public let writer: NewStoreWriter?

    /// Why SQLite has to write them; empty if it was asked for, or does not.
    public let writerReasons: [String]
}

extension ConversionPlan: CustomStringConvertible {
    public var description: String {
        var lines: [String] = []
        for part in parts {
            lines.append("Read \(part.path) (\(part.type.name))")
            var columns = TextColumns(rightAligned: [1])
            for entity in part.entities {
                let rows = part.rows.map { Quantity.count($0[entity] ?? 0) } ?? "?"
                columns.add(entity, rows, part.outside.contains(entity) ? "left out" : "")
            }
            lines += columns.lines()
            if part.hasHistory { lines.append("  persistent history is left out") }
            for table in part.otherTables { lines.append("  the table \(table) is left out") }
        }
        lines.append("Make \(target) (\(targetType.name)), UUID \(metadata.uuid)")
        if isThroughSQLite { lines.append("  through a temporary SQLite store next to it") }
        switch writer {
        case .sqlite where writerReasons.isEmpty: lines.append("  SQLite writes the rows")
        case .sqlite: lines.append("  SQLite writes the rows: \(writerReasons.joined(separator: "; "))")
        case .auto, .builder: lines.append("  the builder writes the rows")
        case nil: break
        }
        lines.append(keepsKeys ? "  objects keep their keys" : "  objects get new keys")
        return lines.joined(separator: "\n") + "\n"
    }
}
