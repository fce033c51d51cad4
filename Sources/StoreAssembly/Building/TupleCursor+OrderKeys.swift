import PersistentStores
import SQLiteFileBuilder

extension TupleCursor {
    /// Returns the order key of each object among those of its owner.
    ///
    /// The tuples begin with an owner and end with one of its objects, and are sorted as the objects are ordered.
    func orderKeys(_ memory: SpoolMemory) throws(BuildError) -> PairFile {
        let byObject = PairSorter(memory)
        var owner: Int64?
        var key = OrderKeys.first
        while let tuple = try next(), let object = tuple.last {
            if tuple[0] != owner { (owner, key) = (tuple[0], OrderKeys.first) }
            try byObject.add(object, key)
            key += OrderKeys.step
        }
        return try byObject.sorted()
    }
}
