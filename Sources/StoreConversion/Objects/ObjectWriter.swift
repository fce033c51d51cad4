/// Writes the objects of a new store one by one.
public protocol ObjectWriter: AnyObject {
    /// Writes an object.
    /// - Throws: usually `StoreError` if the disk is full or fails; `ConversionError` for an object that the store type
    ///   cannot represent.
    func append(_ object: borrowing StoredObject) throws

    /// Writes the end of the file, which is complete then.
    /// - Throws: usually `StoreError` if the disk is full or fails; `ConversionError` for an object that the store type
    ///   cannot represent.
    func finish() throws
}
