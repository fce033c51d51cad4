import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// Finding objects without a key among those of their owner.
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

    /// For each instance the key of its owner, where that was there before the import; 0 for none.
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

    /// The keys of the objects that instances stand for and that are there, before they are written.
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

    /// The objects of the store that instances without a key stand for.
    func findOwned(
        _ owners: [Int64], _ part: PartOwner, _ current: inout ObjectInstances, _ entity: EntityImport,
        _ batch: RecordBatch
    ) throws -> MatchedInstances {
        var matches = MatchedInstances()
        var waiting: [Int64: [Int]] = [:]
        /// Where lists are replaced, the parts that later records of the batch name for the same owners.
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
        // The last record counts, as for lists of keys: part by part it changes what the first one named.
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
