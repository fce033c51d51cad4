public import PersistentStores

/// A type of store whose file is read and written as a whole: XML, binary, and whatever a program adds.
///
/// To add a type, conform to this protocol and give the value to a `PersistentStoreRegistry`. Objects pass one by one:
/// a format that streams needs no memory for the store.
public protocol AtomicStoreFormat: Sendable {
    var type: PersistentStoreType { get }

    /// What the names of such files end with, without the dot; only new stores are told by their names.
    var fileExtensions: [String] { get }

    /// Whether a file that begins with these bytes, at most 4096, is such a store.
    func recognizes(_ beginning: [UInt8]) -> Bool

    /// Reads what a store says of itself, without its objects.
    func metadata(at path: String) throws -> StoreMetadata

    /// Opens a store for reading its objects.
    func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader

    /// Begins a new store.
    ///
    /// - Parameters:
    ///   - path: an empty file that no one sees yet.
    ///   - highestKey: no object will have a higher key; 0 if there will be none.
    func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter

    /// - Throws: if objects of a model cannot be told apart in such a store.
    func check(_ forms: ObjectForms) throws
}

extension AtomicStoreFormat {
    public func check(_ forms: ObjectForms) throws {}
}
