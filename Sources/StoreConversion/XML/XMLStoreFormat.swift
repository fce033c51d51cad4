import ManagedObjectModels
public import PersistentStores
import XMLStores

/// Core Data's XML stores (docs/format/xml-store.md): one numbering for all objects, with upper-case names of entities
/// and lower-case names of properties.
public struct XMLStoreFormat: AtomicStoreFormat {
    /// The type of stores with this format.
    public let type = PersistentStoreType.xml
    /// The file name extension of XML stores: `xml`.
    public let fileExtensions = ["xml"]

    /// Internal limits, which tests set to small values.
    var fixedLimits = ConversionLimits()

    /// Creates the format.
    public init() {}

    /// Returns whether bytes are the beginning of an XML store.
    public func recognizes(_ beginning: [UInt8]) -> Bool { XMLStoreHeader.isBeginning(beginning) }

    /// Reads the metadata of a store, without its objects.
    /// - Throws: `StoreError` if the file cannot be read, or is not an XML store.
    public func metadata(at path: String) throws -> StoreMetadata { try StoreMetadata.read(storeAt: path) }

    /// Opens a store to read its objects.
    /// - Throws: `DocumentError` if the file cannot be read, or is not an XML store; `ConversionError` for names that
    ///   the format cannot distinguish.
    public func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader {
        try check(forms, path: path)
        return XMLObjectReader(try XMLStoreReader(path: path), path: path, forms: forms)
    }

    /// Begins a new store.
    /// - Throws: `StoreError` if the file cannot be written; `PropertyListError` for metadata that XML cannot
    ///   represent.
    public func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter {
        try XMLObjectWriter(
            BufferedOutput(path: path, limits: fixedLimits), forms: forms, metadata: metadata, highestKey: highestKey,
            findings: findings)
    }

    /// Checks that no two names of the model differ only in case.
    /// - Throws: `ConversionError` with code `ambiguousName` if two do.
    public func check(_ forms: ObjectForms) throws {
        try check(forms, path: forms.model.entities.first?.name ?? "")
    }

    private func check(_ forms: ObjectForms, path: String) throws(ConversionError) {
        var entities: [String: String] = [:]
        for form in forms.entities {
            if let other = entities.updateValue(form.name, forKey: form.name.uppercased()) {
                throw ConversionError(.ambiguousName(other, form.name), path: path)
            }
            var properties: [String: String] = [:]
            for name in form.attributes.map(\.name) + form.relationships.map(\.name) {
                if let other = properties.updateValue(name, forKey: name.lowercased()) {
                    throw ConversionError(.ambiguousName("\(form.name).\(other)", "\(form.name).\(name)"), path: path)
                }
            }
        }
    }
}
