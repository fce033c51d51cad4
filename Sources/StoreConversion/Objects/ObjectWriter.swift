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
