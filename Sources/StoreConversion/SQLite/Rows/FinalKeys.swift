import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// The keys that the rows of a new store got in the end: in each table they begin at 1 and have no gaps, in the order of
/// those that the objects had in their store, which had one numbering for all.
struct FinalKeys {
    /// By slot of the root entity; nil for entities without a table.
    let tables: [EntityRows?]
    /// Whether every link leads to an object of the destination's hierarchy.
    let areLinksResolved: Bool

    /// The highest key in each table, by the slot of its root entity.
    var highest: [Int64] { tables.map { $0?.renumberedCount ?? 0 } }

    /// The key of an object of an entity that had another one in its store; below 0 if there is no such object.
    func newKey(of old: Int64, entity slot: Int, _ layout: StoreLayout) throws -> Int64 {
        try tables[layout.model.entities[slot].root]?.newKey(of: old) ?? old
    }

    /// The key that an object had in its store.
    func oldKey(of new: Int64, root: Int) throws -> Int64? { try tables[root]?.oldKey(of: new) }
}
