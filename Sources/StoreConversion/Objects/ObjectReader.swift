/// Reads the objects of a store one by one, in the store's own order.
///
/// A reader belongs to one thread at a time.
public protocol ObjectReader: AnyObject {
    /// Fills an object with the next one; false behind the last.
    /// - Throws: `StoreError`, `ConversionError` or `DocumentError`, as a rule, if the store cannot be read on.
    func next(_ object: inout StoredObject) throws -> Bool
}

/// A reader that finds the keys of its objects faster than it reads them.
protocol ObjectKeyReader: ObjectReader {
    /// Passes the slot and the key of each object, whatever the reader has read so far.
    ///
    /// - Returns: whether all were found; otherwise what was passed does not count, and they have to be read.
    /// - Throws: what the closure throws.
    func forEachKey(_ body: (_ slot: Int, _ key: Int64) throws -> Void) throws -> Bool
}

/// The most that a key may be, so that sums of keys never overflow.
let highestAcceptedKey: Int64 = 1 << 61
