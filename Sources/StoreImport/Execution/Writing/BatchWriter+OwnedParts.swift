import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// Finding of objects without a key among the objects of their owner.
extension BatchWriter {
    /// Prepares the look-ups of all mappings without a key.
    func prepareOwners() throws {
        for entity in entities {
            entity.partOwner = try PartOwner(
                of: entity, session.keys, connection: connection, layout: layout, schema: session.schema,
                limits: options.fixedLimits)
            if let (table, column) = entity.partOwner?.indexedColumn { try indexes.require([column], of: table) }
        }
    }

    /// Returns the primary key of each instance's owner, 0 if the owner did not exist before the import; nil if the
    /// objects are not found by their owner.
    func owners(of entity: EntityImport, _ batch: RecordBatch) throws -> [Int64]? {
        guard let part = entity.partOwner else { return nil }
        let owner = entity.sibling(part.owner)
        let root = owner.object.table.root
        let keys =
            part.isWrittenLater
            ? try lookUp(owner, batch) : owner.instances.primaryKeys
        let firstNew = session.keys.firstNewKey(inTableOf: root)
        return session.related(entity, owner).map { owners in
            guard let owner = owners.first, keys[owner] < firstNew else { return 0 }
            return keys[owner]
        }
    }

    /// Returns the primary keys of the existing objects that instances match, before the instances are written; 0 if an
    /// instance matches no object.
    private func lookUp(_ entity: EntityImport, _ batch: RecordBatch) throws -> [Int64] {
        let writer = entity.writer
        var found = [Int64](repeating: 0, count: entity.instances.count)
        guard entity.keyHistory == nil else { return found }
        var copy = entity.instances
        session.makeKeys(&copy, writer.object, batch.arena)
        let sorted = session.keyOrder(copy.markFollowers(), copy)
        guard !sorted.isEmpty else { return found }
        try writer.find(sorted, copy, arena: batch.arena) { instance, row, _ in
            if found[instance] == 0 { found[instance] = row.integer(0) }
        }
        for instance in copy.keyed where copy.states[Int(instance)] == .follower {
            found[Int(instance)] = found[Int(copy.leaders[Int(instance)])]
        }
        return found
    }

    /// Returns the objects of the store that instances without a key match.
    func findOwned(
        _ owners: [Int64], _ part: PartOwner, _ current: inout ObjectInstances, _ entity: EntityImport,
        _ batch: RecordBatch
    ) throws -> MatchedInstances {
        var matches = MatchedInstances()
        var waiting: [Int64: [Int]] = [:]
        /// If lists are replaced, the parts that later records of the batch contain for the same owners.
        var later: [Int] = []
        var firstRecord: [Int64: Int32] = [:]
        for (instance, owner) in owners.enumerated()
        where owner != 0 && !batchState.isRejected[Int(current.records[instance])] {
            let record = current.records[instance]
            if part.replaces, firstRecord[owner, default: record] != record {
                later.append(instance)
            } else {
                firstRecord[owner] = record
                waiting[owner, default: []].append(instance)
            }
        }
        guard !waiting.isEmpty else { return matches }
        let writer = entity.writer
        let known = waiting.keys.sorted()
        let named = waiting
        var taken = Set<Int64>()
        func take(_ place: Int, _ owner: Int64, _ row: Statement, isEqual: Bool) throws {
            guard let instance = waiting[owner]?.remove(at: place) else { return }
            taken.insert(row.integer(0))
            try part.take(row.integer(0))
            try matches.take(instance, row, 2, &current, writer, isEqual: isEqual, external, batch.arena)
        }
        try part.forEach(of: known) { owner, row in
            guard !taken.contains(row.integer(0)), let open = waiting[owner] else { return }
            let place = open.prefix(options.fixedLimits.comparedParts).firstIndex { instance in
                writer.changes(
                    current, instance, row: row, firstColumn: 2, fills: writer.object.onMatch == .fill,
                    arena: batch.arena
                ).isEmpty
            }
            if let place { try take(place, owner, row, isEqual: true) }
        }
        if part.replaces {
            let open = known.filter { !(waiting[$0] ?? []).isEmpty }
            try part.forEach(of: open) { owner, row in
                guard !taken.contains(row.integer(0)), !(waiting[owner] ?? []).isEmpty else { return }
                try take(0, owner, row, isEqual: false)
            }
        }
        // The last record applies, as for lists of keys: part by part, it changes the objects of the first one.
        var next: [Int64: (record: Int32, place: Int)] = [:]
        for instance in later {
            let (owner, record) = (owners[instance], current.records[instance])
            let place = next[owner].map { $0.record == record ? $0.place + 1 : 0 } ?? 0
            next[owner] = (record, place)
            guard let first = named[owner], place < first.count, current.primaryKeys[first[place]] != 0 else {
                continue
            }
            current.states[instance] = .follower
            current.leaders[instance] = Int32(truncatingIfNeeded: first[place])
        }
        return matches
    }
}
