import SQLiteFileBuilder
import StoreAssembly

/// New keys for the objects of a store with one numbering for all objects. In each table, they begin at 1 without gaps,
/// in the order of the old keys, and follow the keys of earlier stores.
///
/// The old keys are read in a pass before the objects.
final class KeyRenumbering {
    private let keys: KeyNumbering
    /// The numbers that are added to the new keys, by the slot of the root entity, because earlier stores have used
    /// those keys.
    private let bases: [Int64]
    /// The path of the new store, for messages.
    private let path: String

    /// - Parameters:
    ///   - blocks: stores the sorted keys of all stores.
    ///   - staged: the path of the file next to which the temporary files are made.
    ///   - path: the path of the new store, for messages.
    init(
        _ blocks: KeyBlocks, bases: [Int64], _ limits: BuildLimits, beside staged: String, path: String
    ) {
        keys = KeyNumbering(tables: bases.count, blocks, limits, beside: staged)
        self.bases = bases
        self.path = path
    }

    /// Adds the old key of an object.
    func add(_ key: Int64, root: Int) throws {
        do throws(BuildError) {
            try keys.add(key, toTable: root)
        } catch {
            throw OrderedStoreRows.explained(error, path)
        }
    }

    /// Assigns the new keys, after all old keys have been added.
    ///
    /// - Returns: an old key that two objects of a hierarchy have, with the slot of its root entity; nil if there is no
    ///   such key.
    func number() throws -> (root: Int, key: Int64)? {
        do throws(BuildError) {
            return try keys.number().map { (root: $0.table, key: $0.key) }
        } catch {
            throw OrderedStoreRows.explained(error, path)
        }
    }

    /// Returns an object's new key; a negative number, which no object has, if no object of the hierarchy has the
    /// old key.
    func newKey(of old: Int64, root: Int) throws -> Int64 {
        do throws(BuildError) {
            let key = try keys.newKey(of: old, inTable: root)
            return key < 0 ? key : key + bases[root]
        } catch {
            throw OrderedStoreRows.explained(error, path)
        }
    }

    /// Returns the old key for a new one.
    func oldKey(of new: Int64, root: Int) throws -> Int64? {
        do throws(BuildError) {
            return try keys.oldKey(of: new - bases[root], inTable: root)
        } catch {
            throw OrderedStoreRows.explained(error, path)
        }
    }
}
