import PersistentStores
import SQLiteAccess
public import StoreConversion
import Synchronization

/// A store of a coordinator.
public final class PersistentStore: Sendable {
    /// Its number in the coordinator, from 1.
    let number: Int
    /// The path of the file, or the name of an in-memory store.
    public let path: String
    /// The type of the store.
    public let type: PersistentStoreType
    /// The model configuration whose objects the store contains; nil for all.
    public let configuration: String?
    /// The UUID in upper case, which is also in the IDs of its objects.
    public let uuid: String
    /// The options with which the store was added.
    public let options: StoreOptions
    /// The slots of the entities whose objects it may contain.
    let entities: Set<Int>
    /// The SQLite store that contexts use.
    let workingPath: String
    /// The file behind a store that is not a SQLite store.
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

    /// Whether the keys of all its objects, of any entity, are from a single sequence.
    var hasOneNumbering: Bool { type != .sqlite && type != .inMemory }

    /// Whether contexts use the store directly, not a working copy that is written back.
    var isWorkedOnItself: Bool { type == .sqlite || type == .inMemory }

    /// Writes the changed working copy back as a whole, if the store's type requires it.
    func writeBack() throws {
        try backing.withLock { backing in try backing?.writeBack() }
    }
}
