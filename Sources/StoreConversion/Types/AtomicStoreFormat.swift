public import PersistentStores

/// A store type whose file is read and written as a whole: XML, binary, or a type that a program adds.
///
/// To add a type, conform to this protocol and add the value to a `PersistentStoreRegistry`. Objects are passed one by
/// one, so a streaming format needs no memory for the whole store.
public protocol AtomicStoreFormat: Sendable {
    /// The type of stores with this format.
    var type: PersistentStoreType { get }

    /// The file name extensions, without the dot; they only determine the type of new stores.
    var fileExtensions: [String] { get }

    /// Returns whether a file that begins with these bytes, at most 4096, has this format.
    func recognizes(_ beginning: [UInt8]) -> Bool

    /// Reads the metadata of a store, without its objects.
    /// - Throws: usually `StoreError` if the file cannot be read, or does not have this format.
    func metadata(at path: String) throws -> StoreMetadata

    /// Opens a store to read its objects.
    ///
    /// A conversion may open the store on one thread and read it on another, on which the reader adds its findings.
    /// Reader and findings are never used by two threads at the same time.
    /// - Throws: usually `StoreError` or `ConversionError` if the file cannot be read, or does not fit the model.
    func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader

    /// Begins a new store.
    ///
    /// - Parameters:
    ///   - path: the path of an empty temporary file.
    ///   - forms: the attributes and relationships of each entity.
    ///   - metadata: the metadata of the store.
    ///   - highestKey: no object will have a higher key; 0 if there will be no objects.
    ///   - findings: receives the values that the format cannot represent.
    /// - Throws: usually `StoreError` or `ConversionError` if the file cannot be written, or if the format cannot
    ///   represent the objects.
    func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter

    /// Checks that the format can represent the objects of a model.
    /// - Throws: an error if names of the model cannot be distinguished in such a store.
    func check(_ forms: ObjectForms) throws
}

extension AtomicStoreFormat {
    /// Accepts every model.
    /// - Throws: nothing, although other conforming types may throw an error.
    public func check(_ forms: ObjectForms) throws {}
}
