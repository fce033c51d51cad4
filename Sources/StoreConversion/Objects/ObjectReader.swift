/// Reads the objects of a store one by one, in the store's own order.
///
/// A reader belongs to one thread at a time.
public protocol ObjectReader: AnyObject {
    /// Fills an object with the next one; false behind the last.
    /// - Throws: `StoreError`, `ConversionError` or `DocumentError`, as a rule, if the store cannot be read on.
    func next(_ object: inout StoredObject) throws -> Bool
}

/// Writes the objects of a new store one by one.
public protocol ObjectWriter: AnyObject {
    /// Writes an object.
    /// - Throws: `StoreError`, as a rule, if the disk is full or fails; `ConversionError` for an object that the type
    ///   cannot hold.
    func append(_ object: borrowing StoredObject) throws

    /// Writes what comes behind the last object; the file is whole then.
    /// - Throws: `StoreError`, as a rule, if the disk is full or fails; `ConversionError` for an object that the type
    ///   cannot hold.
    func finish() throws
}

/// The most that a key may be, so that sums of keys never overflow.
let highestAcceptedKey: Int64 = 1 << 61
