import ManagedObjectModels
public import PersistentStores
import XMLStores

/// Core Data's XML stores (docs/format/xml-store.md): one numbering for all objects, names of entities in upper and of
/// properties in lower case.
public struct XMLStoreFormat: AtomicStoreFormat {
    public let type = PersistentStoreType.xml
    public let fileExtensions = ["xml"]

    /// The limits that no one has to know of; tests set them.
    var fixedLimits = ConversionLimits()

    public init() {}

    public func recognizes(_ beginning: [UInt8]) -> Bool { XMLStoreHeader.isBeginning(beginning) }

    public func metadata(at path: String) throws -> StoreMetadata { try StoreMetadata.read(storeAt: path) }

    public func reader(at path: String, forms: ObjectForms, findings: ConversionFindings) throws -> any ObjectReader {
        try check(forms, path: path)
        return XMLObjectReader(
            XMLStoreRecordQueue(try XMLStoreReader(path: path), limits: fixedLimits.records), path: path, forms: forms)
    }

    public func writer(
        to path: String, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64, findings: ConversionFindings
    ) throws -> any ObjectWriter {
        try XMLObjectWriter(
            BufferedOutput(path: path, limits: fixedLimits), forms: forms, metadata: metadata, highestKey: highestKey,
            findings: findings)
    }

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
