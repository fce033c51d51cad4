/// Reads the objects of a store one by one, in the store's own order.
///
/// A reader belongs to one thread at a time.
public protocol ObjectReader: AnyObject {
    /// Fills an object with the next one; false behind the last.
    /// - Throws: `StoreError`, `ConversionError` or `DocumentError`, as a rule, if the store cannot be read on.
    func next(_ object: inout StoredObject) throws -> Bool
}

/// The most that a key may be, so that sums of keys never overflow.
let highestAcceptedKey: Int64 = 1 << 61
