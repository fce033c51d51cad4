/// Reads the objects of a store one by one, in the order of the store.
///
/// A reader must only be used by one thread at a time.
public protocol ObjectReader: AnyObject {
    /// Fills an object with the next one; returns false after the last one.
    /// - Throws: usually `StoreError`, `ConversionError` or `DocumentError` if the store cannot be read.
    func next(_ object: inout StoredObject) throws -> Bool
}

/// The highest key that is accepted, so that sums of keys never overflow.
let highestAcceptedKey: Int64 = 1 << 61
