import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The allocator of primary keys, with one counter for each table. It also updates `Z_MAX`.
struct PrimaryKeyAllocator {
    /// The next key, by the slot of the root entity; 0 for entities without a table of their own.
    private var next: [Int64]
    /// The first keys that the import gives to objects, by the slot of the root entity.
    var firstNew: [Int64] = []
    private let layout: StoreLayout

    init(_ connection: Connection, layout: StoreLayout) throws(SQLiteError) {
        self.layout = layout
        next = [Int64](repeating: 0, count: layout.model.entities.count)
        try refresh(connection)
        firstNew = next
    }

    /// Finds out which keys are in use, because other connections may have created objects.
    mutating func refresh(_ connection: Connection) throws(SQLiteError) {
        for table in layout.tables {
            let number = layout.entityNumbers[table.root]
            let recorded =
                try connection.value(
                    "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(number))]
                ).integer ?? 0
            let highest =
                try connection.value("SELECT max(Z_PK) FROM \(SQLiteIdentifier.quoted(table.name))").integer ?? 0
            // The highest possible key is not allocated, because there is none after it.
            next[table.root] = max(next[table.root], min(max(0, recorded, highest), .max - 1) + 1)
        }
    }

    mutating func key(inTableOf root: Int) throws -> Int64 {
        let key = next[root]
        guard key < .max else { throw ImportError.noKeyLeft(entity: layout.model.entities[root].name) }
        next[root] = key + 1
        return key
    }

    /// Returns the key that the next object gets.
    func nextKey(inTableOf root: Int) -> Int64 { next[root] }

    /// Allocates all keys below a key.
    mutating func take(upTo key: Int64, inTableOf root: Int) {
        next[root] = key
    }

    /// Returns the first key that an object of this import gets.
    func firstNewKey(inTableOf root: Int) -> Int64 { firstNew[root] }

    /// Whether any table may have had objects before the import.
    var hadObjects: Bool { firstNew.contains { $0 > 1 } }

    /// Returns whether a table may have had objects before the import.
    func hadObjects(inTableOf root: Int) -> Bool { firstNew[root] > 1 }

    /// Stores the highest allocated keys.
    func store(in connection: Connection) throws(SQLiteError) {
        for (root, key) in next.enumerated() where key > 0 {
            try connection.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND ifnull(Z_MAX, 0) < ?",
                [.integer(key - 1), .integer(Int64(layout.entityNumbers[root])), .integer(key - 1)])
        }
    }
}
