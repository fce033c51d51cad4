import PersistentStores
import SQLiteAccess

/// Links that rejected records would end when they are corrected and imported again: links of relationships that are
/// their own inverse, which other records have named.
extension Settlement {
    /// Notes the objects of a record that is about to be revoked, with their keys, by which another record may create
    /// them again.
    func noteRefused(_ record: Int64) throws {
        guard let refusedObjects = session.refusedObjects, let unproven else { return }
        for (root, object) in try unproven.said.objects(of: record) {
            try refusedObjects.append(object, root: root)
            for recorded in try unproven.said.all(of: object, root: root) where recorded.record == record {
                let columns = sources[recorded.source].entities[recorded.mapping].writer.keyColumns
                let key = columns.map { column in
                    recorded.cells.first { $0.column == SQLiteIdentifier.quoted(column) }?.value ?? .null
                }
                guard !key.contains(.null) else { continue }
                try refusedObjects.append(key, source: recorded.source, object: recorded.mapping)
            }
        }
    }

    /// Notes the records that name objects of rejected records, so that they are written to the files of unlinked
    /// records. Both are then imported again, and the links that one of them names stay.
    @_optimize(size)
    func keepNamersOfRefused() throws {
        guard let refusedObjects = session.refusedObjects else { return }
        try refusedObjects.find { source, object, key in
            let writer = sources[source].entities[object].writer
            return (writer.object.table.root, try session.objects(withKey: key, writer))
        }
        var known: [LinkReplacement] = []
        for entity in entities {
            for (slot, relationship) in entity.relationships.enumerated() {
                guard let replacement = relationship.replacement, replacement.isSymmetric, replacement.replaces,
                    !known.contains(where: { $0 === replacement })
                else { continue }
                known.append(replacement)
                try refusedObjects.forEach(root: entity.object.table.root) { destination in
                    for (owner, record) in try replacement.namers(of: destination) where owner != destination {
                        try keepNamer(owner, record, entity, slot)
                    }
                }
            }
        }
    }

    private func keepNamer(_ owner: Int64, _ record: Int64, _ entity: EntityImport, _ slot: Int) throws {
        guard try taken?.contains(record) != true else { return }
        let source = session.source(of: record)
        try linkStage.absent.append(
            PendingLink(
                source: source.index, object: entity.source === source ? entity.index : 0, relationship: slot,
                owner: owner, ownerEntity: 0, record: record, line: 0, isReplacing: false, place: .null, ordinal: -1,
                number: entity.relationships[slot].number, role: .kept, key: []))
    }
}
