import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess

/// Links that rejected records would end when they are imported once they are mended: those of relationships that are their
/// own inverse, which other records have named.
extension ImportSession {
    /// Whether lists of a relationship that is its own inverse replace what was there.
    static func hasReplacedSymmetricLists(_ entities: [EntityImport]) -> Bool {
        entities.flatMap(\.relationships).contains { relationship in
            relationship.replacement.map { $0.isSymmetric && $0.replaces } ?? false
        }
    }

    /// Notes the keys of the records of a batch that are rejected.
    func noteRefused(_ source: SourceImport, _ batch: inout RecordBatch) throws {
        guard let refusedObjects, assembled == nil else { return }
        for entity in source.entities where Self.hasReplacedSymmetricLists([entity]) {
            for record in batchState.rejected {
                guard case .values(let key) = try key(ofRejected: record, entity.writer, &batch) else { continue }
                try refusedObjects.append(key, source: source.index, object: entity.index)
            }
        }
    }

    /// Notes the objects of a record that is about to be taken back. Another record may make them again by their keys.
    func noteRefused(_ record: Int64) throws {
        guard let refusedObjects, let unproven else { return }
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

    /// Lets the records be written to the files of those without a link that name objects of rejected ones: both are
    /// imported again, and the link stays as one of them names it.
    func keepNamersOfRefused() throws {
        guard let refusedObjects else { return }
        try refusedObjects.find { source, object, key in
            let writer = sources[source].entities[object].writer
            return (writer.object.table.root, try objects(withKey: key, writer))
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
        let source = source(of: record)
        try linkStage.absent.append(
            PendingLink(
                source: source.index, object: entity.source === source ? entity.index : 0, relationship: slot,
                owner: owner, ownerEntity: 0, record: record, line: 0, isReplacing: false, place: .null, ordinal: -1,
                number: entity.relationships[slot].number, role: .kept, key: []))
    }

    /// What is known of the key of a rejected record.
    enum RejectedKey {
        case unknown
        /// No object has it.
        case none
        case values([SQLiteValue])
    }

    /// The key that a rejected record has.
    func key(ofRejected record: Int, _ writer: MappedObjectWriter, _ batch: inout RecordBatch) throws -> RejectedKey {
        let object = writer.object
        guard object.hasKey, !object.isPart, batch.problem(of: record) == nil else { return .unknown }
        var values: [SQLiteValue] = []
        do {
            for position in object.keyAttributes {
                let value = try object.attributes[position].keyValue(of: record, in: &batch)
                // No object has a key with a NULL in it.
                if value == .null { return .none }
                values.append(value)
            }
            for position in object.keyRelationships {
                guard case .key(let target) = object.toOnes[position].target else { return .unknown }
                guard let key = try batch.key(target.parts, of: record, node: -1).key else { return .none }
                let resolver = resolvers[target.resolver]
                if !resolver.isCached { try resolver.fetch([key]) }
                guard let found = resolver.target(of: key.bytes) else { return .none }
                values.append(.integer(found.primaryKey))
            }
        } catch is ConversionFailure {
            return .unknown
        } catch is RejectionReason {
            return .unknown
        }
        return .values(values)
    }

    /// The objects with a key.
    func objects(withKey key: [SQLiteValue], _ writer: MappedObjectWriter) throws -> [Int64] {
        try indexes.require(writer.keyColumns, of: writer.object.table.name)
        let condition = writer.keyColumns.map { "\(SQLiteIdentifier.quoted($0)) = ?" }.joined(separator: " AND ")
        return try connection.rows(
            "SELECT Z_PK FROM \(writer.table) WHERE \(condition) AND Z_ENT IN (\(writer.numbers))", key
        ).map { $0[0].integer ?? 0 }
    }
}
