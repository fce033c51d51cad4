import PersistentStores
import SQLiteAccess
public import StoreConversion
import Synchronization

/// A store that a coordinator has.
public final class PersistentStore: Sendable {
    /// Its number in the coordinator, from 1.
    let number: Int
    /// The file, or what an in-memory store is called.
    public let path: String
    /// The type of the store.
    public let type: PersistentStoreType
    /// The configuration of the model whose objects it holds; nil for all.
    public let configuration: String?
    /// The UUID in upper case, the same in the IDs of its objects.
    public let uuid: String
    /// How the store was added.
    public let options: StoreOptions
    /// The slots of the entities whose objects it may hold.
    let entities: Set<Int>
    /// The SQLite store that contexts work on.
    let workingPath: String
    /// What stands behind a store that is not a SQLite store itself.
    private let backing: Mutex<StoreBacking?>

    init(
        number: Int, location: StoreLocation, uuid: String, entities: Set<Int>, backing: sending StoreBacking?
    ) {
        self.number = number
        path = location.path
        type = location.type
        configuration = location.configuration
        options = location.options
        self.uuid = uuid
        self.entities = entities
        workingPath = backing?.workingPath ?? location.path
        self.backing = Mutex(backing)
    }

    /// Whether it holds objects of one numbering, whatever their entity.
    var hasOneNumbering: Bool { type != .sqlite && type != .inMemory }

    /// Whether contexts work on the store itself, and not on one that is written back.
    var isWorkedOnItself: Bool { type == .sqlite || type == .inMemory }

    /// Writes the store as a whole, where that is its type; the working store has been changed.
    func writeBack() throws {
        try backing.withLock { backing in try backing?.writeBack() }
    }
}
