import ManagedObjectModels
public import PersistentStores

/// The steps of a conversion that has not been executed.
public struct ConversionPlan: Sendable {
    /// A store to convert.
    public struct Part: Sendable {
        /// The path of the store.
        public let path: String
        /// The type of the store.
        public let type: PersistentStoreType
        /// The names of its model's entities, sorted.
        public let entities: [String]
        /// The number of objects by entity; nil if counting them requires reading the whole file.
        public let rows: [String: Int64]?
        /// The entities that the new store does not have.
        public let outside: [String]
        /// Whether the store has persistent history, which is not copied.
        public let hasHistory: Bool
        /// The names of tables that do not belong to Core Data, which are not copied.
        public let otherTables: [String]

        /// Whether it is a SQLite store.
        public var isSQLite: Bool { type == .sqlite }
    }

    /// The stores to convert.
    public let parts: [Part]
    /// The path of the new store.
    public let target: String
    /// The type of the new store.
    public let targetType: PersistentStoreType

    /// The metadata of the new store.
    public let metadata: StoreMetadata

    /// The settings of a new SQLite store: the requested ones, with the auto-vacuum mode of the old store.
    public let pragmas: StorePragmas

    /// Whether every object keeps its key.
    public let keepsKeys: Bool

    /// Whether an intermediate SQLite store is written.
    public let isThroughSQLite: Bool

    /// How the rows of an SQLite store are written; nil if there is none.
    public let writer: NewStoreWriter?
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
        case .sqlite: lines.append("  SQLite writes the rows")
        case .auto, .builder: lines.append("  the builder writes the rows")
        case nil: break
        }
        lines.append(keepsKeys ? "  objects keep their keys" : "  objects get new keys")
        return lines.joined(separator: "\n") + "\n"
    }
}
