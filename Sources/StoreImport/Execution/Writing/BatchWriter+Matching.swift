import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess

/// Finding and updating of a batch's objects that exist already.
extension BatchWriter {
    /// Returns the objects of the store that instances match.
    func findExisting(
        _ leaders: [Int], _ current: inout ObjectInstances, _ entity: EntityImport, _ batch: RecordBatch
    ) throws -> MatchedInstances {
        var matches = MatchedInstances()
        guard !leaders.isEmpty else { return matches }
        let (object, writer) = (entity.object, entity.writer)
        var duplicates = 0
        // For each row, nothing else of the batch is accessed.
        let (arena, start) = (batch.arena, batch.start.record)
        let changes = object.onMatch == .update || object.onMatch == .fill
        func take(_ instance: Int, _ row: some FoundRow, _ firstCompared: Int32) throws {
            guard current.states[instance] == .open else {
                duplicates += 1
                return
            }
            let number = session.recordNumber(behind: start, Int(current.records[instance]))
            let object = BatchState.NamedObject(root: object.table.root, key: row.integer(0))
            // The next instance with this key finds the object that this one has created.
            if changes, batchState.takeMaker(number, of: object) { current.makers.insert(instance) }
            try matches.take(instance, row, firstCompared, &current, writer, external, arena)
        }
        let missing: [Int]
        if let earlier = current.earlier.take(), let found = takeEarlier(earlier, leaders, &current, entity, &matches) {
            missing = found
        } else {
            missing = try writer.findInOrder(leaders, current, arena: arena, body: take)
        }
        let others = session.keyOrder(missing, current)
        if !others.isEmpty {
            // A table without its indexes is searched elsewhere, with a cache of its own.
            if !writer.searchesElsewhere { try session.cache.need(connection) }
            try writer.find(others, current, arena: batch.arena, body: take)
        }
        writer.learnOrder(current)
        if let objects = entity.earlier, let key = writer.walk.expectedKey {
            objects.expect(key, record: batch.end.record)
        }
        if duplicates > 0 {
            self.tally.report.findings.append(
                "\(object.entityName): \(Quantity.count(Int64(duplicates), "object")) of the store with the key of another one; the first "
                    + "counts")
        }
        return matches
    }

    /// Takes the objects that were found in the pages of the store, if most were found and have not changed since.
    ///
    /// - Returns: the other instances; nil if all instances must be looked up in the order of the store, and nothing
    ///   was taken.
    private func takeEarlier(
        _ earlier: EarlierMatches, _ leaders: [Int], _ current: inout ObjectInstances, _ entity: EntityImport,
        _ matches: inout MatchedInstances
    ) -> [Int]? {
        guard let objects = entity.earlier, objects.rows.areThere else { return nil }
        let missing = leaders.filter { instance in
            let key = earlier.primaryKeys[instance]
            return key == 0 || objects.rows.isChanged(key, objects.table)
        }
        guard missing.count * 2 <= leaders.count else { return nil }
        options.onCheckpoint?("rows read from pages")
        var next = 0
        for instance in leaders {
            if next < missing.count, missing[next] == instance {
                next += 1
            } else {
                matches.take(instance, of: earlier, &current, entity.writer)
            }
        }
        return missing
    }

    /// Skips or rejects the records whose objects exist already, if the mapping says so.
    func takeUp(
        _ matches: MatchedInstances, _ current: inout ObjectInstances, _ entity: EntityImport, _ batch: RecordBatch,
        _ name: String, _ report: inout ImportReport.SourceReport
    ) throws {
        let object = entity.object
        switch object.onMatch {
        case .skip: for instance in matches.instances { current.states[instance] = .skipped }
        case .error:
            for instance in matches.instances {
                // The record applies if the object does not exist in the end.
                if try unproven?.records.makingRole(of: current.primaryKeys[instance], root: object.table.root) != nil {
                    current.states[instance] = .skipped
                    continue
                }
                try session.reject(Int(current.records[instance]), of: batch, name, &report, object.reason(.exists))
                current.states[instance] = .rejected
            }
        case .update, .fill: break
        }
    }

    /// Writes the changes of a record to an existing object.
    func write(
        _ update: MatchedInstances.Update, _ current: inout ObjectInstances, _ entity: EntityImport,
        _ batch: inout RecordBatch, _ name: String, _ report: inout ImportReport.SourceReport
    ) throws {
        let instance = update.instance
        let outcome = try self.update(
            update.key, with: instance, update.changes, &current, entity, &batch, name, &report)
        if outcome == .updated { current.states[instance] = .updated }
    }

    /// Makes the to-one relationships wait that an earlier record may still fill or empty: whether they are empty is known
    /// when its destination is created, or is not.
    ///
    /// - Parameter update: what the instance changes in the object, without these relationships then.
    func leaveToWaiting(
        _ instance: Int, _ current: inout ObjectInstances, _ entity: EntityImport,
        _ update: inout MatchedInstances.Update?
    ) throws {
        let object = entity.object
        let primaryKey = current.primaryKeys[instance]
        var changes = update?.changes ?? []
        for (position, relationship) in object.toOnes.enumerated() where relationship.isKeyed {
            let place = instance * object.toOnes.count + position
            guard current.toOneKeys[place] > 0, current.toOnePresent[place],
                try linkStage.pending.contains(entity.relationships[position].number, of: primaryKey)
            else { continue }
            changes.remove(object.attributes.count + position)
            current.toOneKeys[place] = ObjectInstances.waitingKey
            current.toOnePresent[place] = false
        }
        update =
            changes.isEmpty ? nil : MatchedInstances.Update(instance: instance, key: primaryKey, changes: changes)
    }

    /// Returns whether objects with one of the keys may exist, or several records of the batch may have the same key.
    /// This is not the case if all objects of a new store come from this mapping, and their keys are new.
    ///
    /// If it returns true, the keys have been made.
    func mayBeThere(
        _ current: inout ObjectInstances, _ entity: EntityImport, _ arena: [UInt8]
    ) throws -> Bool {
        let object = entity.object
        guard let history = entity.keyHistory else {
            if !current.keepsEarlierKeys(where: batchState.isRejected) { session.makeKeys(&current, object, arena) }
            guard !current.keyed.isEmpty else { return false }
            try session.noteKeys(current, entity)
            return true
        }
        let hashes: [UInt64]
        if object.hasPlainKey {
            // Records from a spool have no hashes, because their store mostly needs none.
            if current.keyHashes.isEmpty { current.hashKeys(object.keyAttributes[0], in: arena) }
            hashes = current.keyHashes(where: batchState.isRejected)
        } else {
            session.makeKeys(&current, object, arena)
            hashes = current.keyed.map { KeyHash.value(of: current.key(Int($0)).span) }
        }
        guard history.insert(hashes) else { return false }
        if object.hasPlainKey { session.makeKeys(&current, object, arena) }
        // The key may have occurred before. From now on, every key is looked up.
        entity.keyHistory = nil
        try indexes.require(object.keyColumns, of: object.table.name)
        try session.cache.enlarge(connection)
        return true
    }

    /// Makes resolvers forget the objects that they find by an attribute which has just been changed. A mapping may
    /// also find objects of a subentity.
    func forget(_ changes: Set<Int>, _ object: CompiledObject) {
        for resolver in resolvers where layout.model.areRelated(object.slot, resolver.slot) {
            guard let attribute = resolver.cachedAttribute else { continue }
            let isMeant = changes.contains { position in
                position < object.attributes.count && object.attributes[position].attribute.key == attribute
            }
            if isMeant { resolver.forgetAll() }
        }
    }
}
