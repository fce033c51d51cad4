import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Tables that get very many new objects: when their indexes are dropped, and when they are created again.
extension ImportSession {
    /// Finds the mappings whose tables are not accessed by other parts of the import.
    func prepareLargeLoads() throws {
        for entity in entities {
            let stored = keys.firstNewKey(inTableOf: entity.object.table.root) - 1
            guard stored >= options.fixedLimits.smallestLargeTable, progress == nil, unproven == nil,
                !entity.source.compiled.needsReplay, entity.writer.isKeyUnique, try isAlone(entity)
            else { continue }
            entity.largeLoad = LargeLoad(storedObjects: stored, options.fixedLimits)
        }
    }

    /// Returns whether rows of an object's table are only found by its own key, and by their primary keys.
    private func isAlone(_ entity: EntityImport) throws -> Bool {
        let object = entity.object
        let root = object.table.root
        let isLookedInto = resolvers.contains { !$0.isSourceKey && layout.model.entities[$0.slot].root == root }
        let hasInverses = entity.relationships.contains { $0.inverse != nil }
        let table = SQLiteIdentifier.quoted(object.table.name)
        let isLinked = entities.flatMap(\.relationships).contains { relationship in
            relationship.writer?.place.table == table && relationship.writer?.place.kind == .foreignKey
        }
        return try scope.objectCounts[root] == 1 && !isLookedInto && !hasInverses && !isLinked && object.toManys.isEmpty
            && (indexes.hasPlainUniqueIndexes(on: object.table.name, of: object.keyColumns))
    }

    /// Decides whether to drop the indexes of a source's tables, after its first records were written.
    func considerLargeLoads(of source: SourceImport, _ report: ImportReport.SourceReport) throws {
        for entity in source.entities {
            guard let load = entity.largeLoad, load.snapshot == nil else { continue }
            if load.pays(bytesRead: report.bytes, sourceBytes: source.size),
                try load.begin(entity.object.table.name, connection, indexes)
            {
                entity.writer.search(in: load.snapshot)
                options.onCheckpoint?("indexes postponed")
            } else {
                entity.largeLoad = nil
            }
        }
    }

    /// Records the keys of a batch. If a key is repeated, objects are looked up in the current store from here on.
    func noteKeys(_ current: ObjectInstances, _ entity: EntityImport) throws {
        guard let load = entity.largeLoad else { return }
        guard load.history.insert(current.keyed.map { KeyHash.value(of: current.key(Int($0)).span) }) else { return }
        try end(load, of: entity)
        entity.largeLoad = nil
        try indexes.require(entity.object.keyColumns, of: entity.object.table.name)
        try cache.enlarge(connection)
    }

    private func end(_ load: LargeLoad, of entity: EntityImport) throws {
        entity.writer.search(in: nil)
        try load.end(connection)
    }

    /// Closes the connections to the earlier state of the store, because its indexes are about to be created.
    func endLargeLoads() throws {
        for entity in entities {
            if let load = entity.largeLoad { try end(load, of: entity) }
            entity.largeLoad = nil
        }
    }
}
