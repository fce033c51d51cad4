public import PersistentStores

/// A type of store whose file is read and written as a whole: XML, binary, and whatever a program adds.
///
/// To add a type, conform to this protocol and give the value to a `PersistentStoreRegistry`. Objects pass one by one:
/// a format that streams needs no memory for the store.
public protocol AtomicStoreFormat: Sendable {
    /// The type that stores of this format have.
    var type: PersistentStoreType { get }

    /// What the names of such files end with, without the dot; only new stores are told by their names.
    var fileExtensions: [String] { get }

    /// Whether a file that begins with these bytes, at most 4096, is such a store.
    func recognizes(_ beginning: [UInt8]) -> Bool

    /// Reads what a store says of itself, without its objects.
    /// - Throws: `StoreError`, as a rule, if the file cannot be read, or is not such a store.
    func metadata(at path: String) throws -> StoreMetadata

    /// Opens a store for reading its objects.
    ///
    /// A conversion reads them, and lets the reader add its findings, on another thread than it opens the store on; no
    /// two threads use either at once.
    /// - Throws: `StoreError` or `ConversionError`, as a rule, if the file cannot be read, or does not fit the model.
    func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader

    /// Begins a new store.
    ///
    /// - Parameters:
    ///   - path: an empty file that no one sees yet.
    ///   - forms: what objects of each entity consist of.
    ///   - metadata: what the store says of itself.
    ///   - highestKey: no object will have a higher key; 0 if there will be none.
    ///   - findings: gets what the format cannot hold.
    /// - Throws: `StoreError` or `ConversionError`, as a rule, if the file cannot be written, or the format cannot hold
    ///   the objects.
    func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter

    /// Checks that the format can hold the objects of a model.
    /// - Throws: if objects of a model cannot be told apart in such a store.
    func check(_ forms: ObjectForms) throws
}

extension AtomicStoreFormat {
    /// Accepts every model.
    /// - Throws: nothing, though other conforming types may.
    public func check(_ forms: ObjectForms) throws {}
}
