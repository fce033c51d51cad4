import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// The final keys of a new store's rows. In each table, they begin at 1 without gaps, in the order of the keys in the
/// source store, which had one numbering for all objects.
struct FinalKeys {
    /// The tables, by the slot of the root entity; nil for entities without a table.
    let tables: [EntityRows?]
    /// Whether every link leads to an object of the destination's hierarchy.
    let areLinksResolved: Bool

    /// The highest key in each table, by the slot of its root entity.
    var highest: [Int64] { tables.map { $0?.renumberedCount ?? 0 } }

    /// Returns the old key of an object.
    func oldKey(of new: Int64, root: Int) throws -> Int64? { try tables[root]?.oldKey(of: new) }
}
