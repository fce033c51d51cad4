import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess

/// Links that rejected records would end when they are corrected and imported again: links of relationships that are
/// their own inverse, which other records have named.
extension ImportSession {
    /// Returns whether there are lists of a relationship that is its own inverse, and they replace existing links.
    static func hasReplacedSymmetricLists(_ entities: [EntityImport]) -> Bool {
        entities.flatMap(\.relationships).contains { relationship in
            relationship.replacement.map { $0.isSymmetric && $0.replaces } ?? false
        }
    }

    /// Notes the keys of the rejected records of a batch.
    func noteRefused(_ source: SourceImport, _ batch: inout RecordBatch) throws {
        guard let refusedObjects, assembler == nil else { return }
        for entity in source.entities where Self.hasReplacedSymmetricLists([entity]) {
            for record in batchState.rejected {
                guard case .values(let key) = try key(ofRejected: record, entity.writer, &batch) else { continue }
                try refusedObjects.append(key, source: source.index, object: entity.index)
            }
        }
    }

    /// The key of a rejected record, as far as it is known.
    enum RejectedKey {
        case unknown
        /// No object has the key, because a part of it is NULL or names an object that does not exist.
        case none
        case values([SQLiteValue])
    }

    /// Returns the key of a rejected record.
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

    /// Returns the primary keys of the objects with a key.
    func objects(withKey key: [SQLiteValue], _ writer: MappedObjectWriter) throws -> [Int64] {
        try indexes.require(writer.keyColumns, of: writer.object.table.name)
        let condition = writer.keyColumns.map { "\(SQLiteIdentifier.quoted($0)) = ?" }.joined(separator: " AND ")
        return try connection.rows(
            "SELECT Z_PK FROM \(writer.table) WHERE \(condition) AND Z_ENT IN (\(writer.numbers))", key
        ).map { $0[0].integer ?? 0 }
    }
}
