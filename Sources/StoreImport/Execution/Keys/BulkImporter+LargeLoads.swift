import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Tables that get very many new objects: when their indexes go, and when they come back.
extension BulkImporter {
    /// Finds the mappings whose tables nothing else of the import looks into.
    func prepareLargeLoads() throws {
        for (sourceIndex, source) in sources.enumerated() {
            largeLoads.append(
                try source.objects.indices.map { index in
                    let object = source.objects[index]
                    let stored = keys.firstNewKey(inTableOf: object.table.root) - 1
                    guard stored >= options.fixedLimits.smallestLargeTable, progress == nil, openRecords == nil,
                        !source.needsReplay, writers[sourceIndex][index].isKeyUnique,
                        try isAlone(object, sourceIndex, index)
                    else { return nil }
                    return LargeLoad(storedObjects: stored, options.fixedLimits)
                })
        }
    }

    /// Whether rows of an object's table are found by nothing but its own key, and by their primary keys.
    private func isAlone(_ object: CompiledObject, _ sourceIndex: Int, _ index: Int) throws -> Bool {
        let root = object.table.root
        let isLookedInto = resolvers.contains { !$0.isSourceKey && layout.model.entities[$0.slot].root == root }
        let hasInverses = inverseWriters[sourceIndex][index].contains { $0 != nil }
        let table = SQLiteIdentifier.quoted(object.table.name)
        let isLinked = linkWriters.joined().joined().contains { writer in
            writer?.place.table == table && writer?.place.kind == .foreignKey
        }
        return try objectCounts[root] == 1 && !isLookedInto && !hasInverses && !isLinked && object.toManys.isEmpty
            && (indexes.hasPlainUniqueIndexes(on: object.table.name, of: writers[sourceIndex][index].keyColumns))
    }

    /// Decides for the tables of a source when its first records are written.
    func considerLargeLoads(_ sourceIndex: Int, _ report: ImportReport.SourceReport) throws {
        for (index, load) in largeLoads[sourceIndex].enumerated() {
            guard let load, load.snapshot == nil else { continue }
            let object = sources[sourceIndex].objects[index]
            if load.pays(bytesRead: report.bytes, sourceBytes: sourceSizes[sourceIndex]),
                try load.begin(object.table.name, connection, indexes)
            {
                writers[sourceIndex][index].search(in: load.snapshot)
                options.onCheckpoint?("indexes postponed")
            } else {
                largeLoads[sourceIndex][index] = nil
            }
        }
    }

    /// Notes the keys of a batch; where one has come before, objects are looked up in the store as it is from here on.
    func noteKeys(_ current: ObjectInstances, _ index: Int, _ sourceIndex: Int) throws {
        guard let load = largeLoads[sourceIndex][index] else { return }
        guard load.history.insert(current.keyed.map { KeyHash.value(of: current.key(Int($0)).span) }) else { return }
        try end(load, index, sourceIndex)
        largeLoads[sourceIndex][index] = nil
        try indexes.require(writers[sourceIndex][index].keyColumns, of: sources[sourceIndex].objects[index].table.name)
        try cache.enlarge(connection)
    }

    private func end(_ load: LargeLoad, _ index: Int, _ sourceIndex: Int) throws {
        writers[sourceIndex][index].search(in: nil)
        try load.end(connection)
    }

    /// Closes what looks at the store as it was: its indexes are about to be made.
    func endLargeLoads() throws {
        for sourceIndex in largeLoads.indices {
            for (index, load) in largeLoads[sourceIndex].enumerated() {
                if let load { try end(load, index, sourceIndex) }
            }
        }
        largeLoads = []
    }
}
