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
        guard let refusedObjects, assembler == nil else { return }
        for entity in source.entities where Self.hasReplacedSymmetricLists([entity]) {
            for record in batchState.rejected {
                guard case .values(let key) = try key(ofRejected: record, entity.writer, &batch) else { continue }
                try refusedObjects.append(key, source: source.index, object: entity.index)
            }
        }
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
