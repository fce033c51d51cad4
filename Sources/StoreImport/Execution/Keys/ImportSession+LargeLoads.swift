import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Tables that get very many new objects: when their indexes go, and when they come back.
extension ImportSession {
    /// Finds the mappings whose tables nothing else of the import looks into.
    func prepareLargeLoads() throws {
        for entity in entities {
            let stored = keys.firstNewKey(inTableOf: entity.object.table.root) - 1
            guard stored >= options.fixedLimits.smallestLargeTable, progress == nil, unproven == nil,
                !entity.source.compiled.needsReplay, entity.writer.isKeyUnique, try isAlone(entity)
            else { continue }
            entity.largeLoad = LargeLoad(storedObjects: stored, options.fixedLimits)
        }
    }

    /// Whether rows of an object's table are found by nothing but its own key, and by their primary keys.
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

    /// Decides for the tables of a source when its first records are written.
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

    /// Notes the keys of a batch; where one has come before, objects are looked up in the store as it is from here on.
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

    /// Closes what looks at the store as it was: its indexes are about to be made.
    func endLargeLoads() throws {
        for entity in entities {
            if let load = entity.largeLoad { try end(load, of: entity) }
            entity.largeLoad = nil
        }
    }
}
