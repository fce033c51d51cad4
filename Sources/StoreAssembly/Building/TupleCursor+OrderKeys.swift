import PersistentStores
import SQLiteFileBuilder

extension TupleCursor {
    /// Returns the order key of each object among those of its owner.
    ///
    /// The tuples begin with an owner and end with one of its objects, and are sorted as the objects are ordered.
    func orderKeys(_ memory: SpoolMemory) throws(BuildError) -> PairFile {
        let byObject = PairSorter(memory)
        var counter = OrderKeyCounter()
        while let tuple = try next(), let object = tuple.last { try byObject.add(object, counter.key(of: tuple[0])) }
        return try byObject.sorted()
    }
}

/// A counter that assigns order keys to the objects of one owner after the other.
struct OrderKeyCounter {
    private var owner: Int64?
    private var next = OrderKeys.first

    /// Returns the key of the next object of an owner.
    mutating func key(of owner: Int64) -> Int64 {
        if owner != self.owner { (self.owner, next) = (owner, OrderKeys.first) }
        defer { next += OrderKeys.step }
        return next
    }
}
