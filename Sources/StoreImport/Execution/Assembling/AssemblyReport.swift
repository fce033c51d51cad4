import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreAssembly

/// Takes note of what turns out when all objects are there.
struct AssemblyReport: AssemblyClient {
    let importer: ImportSession

    func absent(_ payload: Span<UInt8>, owner: Int64) throws {
        guard
            case .reference(let record, let line, let index, let position, let ordinal, let key) = SpooledNote(payload)
        else { return }
        let source = importer.source(of: record)
        let object = source.entities[index].object
        try importer.absent.append(
            PendingLink(
                source: source.index, object: index, relationship: position, owner: owner,
                ownerEntity: Int64(object.entityNumber), record: record, line: line, isReplacing: false, place: .null,
                ordinal: Int64(ordinal), number: source.entities[index].relationships[position].number,
                role: position < object.toOnes.count ? .toOne : [], key: KeyBytes.values(of: key)))
    }

    func rejected(_ payload: Span<UInt8>) throws {
        let (record, reason) = reason(SpooledNote(payload))
        guard let reason, let entry = try importer.absent.entry(record) else { return }
        try importer.reject(entry, reason)
        try importer.countRejected(entry)
    }

    private func reason(_ note: SpooledNote) -> (record: Int64, rejection: RecordRejection?) {
        switch note {
        case .incomplete(let record, let index, let position):
            let object = importer.source(of: record).entities[index].object
            return (record, object.lacks(object.attributes[position].attribute.name, source: ""))
        case .reference(let record, _, let index, let position, _, let key):
            let object = importer.source(of: record).entities[index].object
            let relationship = (object.toOnes + object.toManys)[position]
            guard case .key(let target) = relationship.target, let key = ReferenceKey(KeyBytes.values(of: key)) else {
                return (record, nil)
            }
            return (record, importer.refusal(key, target, object, relationship))
        }
    }

    func checkpoint() throws {
        if importer.options.isCancelled?() ?? false { throw ImportError.cancelled }
        importer.options.onStage?(.building)
    }
}

extension CompiledObject {
    /// Why a record is rejected that makes an object without a required value.
    func lacks(_ attribute: String, source: String) -> RecordRejection {
        RecordRejection(
            source: source, line: 0, byteOffset: 0, entity: entityName, property: attribute, code: 1570,
            message: "the attribute is required, and neither the mapping nor the model gives it a value")
    }
}
