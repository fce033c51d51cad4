import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources
import SQLiteAccess

/// Inserting and updating of a batch's objects.
extension BatchWriter {
    func write(
        _ entity: EntityImport, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        try resolveToOnes(entity, &batch, name, &report)
        let writer = entity.writer
        let object = writer.object
        let owners = try owners(of: entity, batch)
        // The instances are taken out of the entity, because values that are passed on would be copied, reference by
        // reference.
        var current = entity.takeInstances()
        defer { swap(&current, &entity.instances) }
        var counts = ImportReport.EntityReport(entity: object.entityName)
        var matches = MatchedInstances()
        if try mayBeThere(&current, entity, batch.arena) {
            let leaders = current.leadersOfKeys()
            matches = try findExisting(leaders, &current, entity, batch)
        } else if let owners, let part = entity.partOwner {
            matches = try findOwned(owners, part, &current, entity, batch)
        }
        try takeUp(matches, &current, entity, batch, name, &report)
        var updates = matches.updatesFromTheLast()
        let learners = session.learners(of: object)
        var looks = lateLooks(current, of: entity)
        /// The next instance with the same key, by the first instance with the key, if the record of the first one is
        /// rejected: it takes its place.
        var successors: [Int: Int] = [:]
        for instance in 0..<current.count {
            let record = Int(current.records[instance])
            var update = updates.last?.instance == instance ? updates.popLast() : nil
            guard !batchState.isRejected[record] else {
                current.states[instance] = .rejected
                continue
            }
            batchState.late?.begin(record)
            if looks.isNeeded { try lookLate(instance, &current, entity, &batch, &looks, &update) }
            if object.onMatch == .fill, current.states[instance] == .unchanged {
                try leaveToWaiting(instance, &current, entity, &update)
            }
            if let update {
                try write(update, &current, entity, &batch, name, &report)
                continue
            }
            if current.states[instance] == .follower {
                let first = Int(current.leaders[instance])
                let leader = successors[first] ?? first
                if current.states[leader] == .rejected, current.primaryKeys[leader] == 0 {
                    successors[first] = instance
                    current.states[instance] = .open
                } else {
                    current.leaders[instance] = Int32(truncatingIfNeeded: leader)
                    try follow(instance, &current, entity, &batch, name, &report, &counts)
                    continue
                }
            }
            guard current.states[instance] == .open else { continue }
            if let refusal = try insert(instance, &current, writer, learners, &batch, &counts) {
                let rivals = refusal.isNotUnique ? try rivals(of: instance, current, entity, batch) : []
                try session.reject(record, of: batch, name, &report, refusal, rivals: rivals)
                current.states[instance] = .rejected
            }
        }
        matches.count(current.states, into: &counts, except: current.makers)
        entity.largeLoad?.inserted += counts.inserted
        if counts.inserted > 0 { linkCounts.countToOnes(current, of: entity) }
        tally[object.entityName].add(counts)
    }

    /// Inserts an object; returns the reason if its record must be rejected, otherwise nil.
    private func insert(
        _ instance: Int, _ current: inout ObjectInstances, _ writer: MappedObjectWriter,
        _ learners: [ImportSession.Learner], _ batch: inout RecordBatch, _ counts: inout ImportReport.EntityReport
    ) throws -> RejectionReason? {
        let object = writer.object
        guard object.onMissing == .create else {
            guard object.onMissing == .skip else {
                return object.reason(.noMatch)
            }
            current.states[instance] = .skipped
            counts.skipped += 1
            return nil
        }
        if let missing = object.unfilled.first ?? current.unfilledName(instance, object) {
            return object.reason(.noValue, missing)
        }
        let heldBytes = batch.arena.count
        if let failure = try session.takeFiles(of: instance, object.attributes.indices, &current, writer, &batch) {
            return failure
        }
        defer { session.releaseFiles(of: instance, &current, &batch, heldBytes) }
        for position in writer.externals { try externalize(position, instance, &current, &batch) }
        let primaryKey = try session.keys.key(inTableOf: object.table.root)
        do throws(SQLiteError) {
            try writer.insert(current, instance, primaryKey: primaryKey, arena: batch.arena)
        } catch {
            guard error.isConstraint else { throw error }
            return object.reason(.notUnique(error.message))
        }
        current.primaryKeys[instance] = primaryKey
        current.entities[instance] = Int64(object.entityNumber)
        current.states[instance] = .inserted
        counts.inserted += 1
        if !learners.isEmpty { session.teach(learners, instance, current, object, batch, primaryKey) }
        return nil
    }

    /// Runs a statement; returns SQLite's message if a constraint of the store refuses it, otherwise nil.
    static func constraintMessage(_ body: () throws -> Void) throws -> String? {
        do {
            try body()
            return nil
        } catch {
            if let error = error as? SQLiteError, error.isConstraint { return error.message }
            throw error
        }
    }

    /// Moves a large value of external binary data to a file, and replaces the value with the name of the file.
    func externalize(
        _ position: Int, _ instance: Int, _ instances: inout ObjectInstances, _ batch: inout RecordBatch
    ) throws {
        let place = instance * instances.attributeCount + position
        guard case .blob(let range) = instances.cells[place],
            let stored = try external.stored(batch.arena[range.range])
        else { return }
        instances.cells[place] = .blob(batch.appendRange(stored))
    }

    /// What happened to the changes that a record makes to an object.
    enum UpdateOutcome {
        /// The store refused them, and the record is rejected.
        case refused
        /// There was nothing left to fill.
        case unchanged
        case updated
    }

    /// Writes the changes of a record to an object.
    func update(
        _ primaryKey: Int64, with instance: Int, _ changes: Set<Int>, _ current: inout ObjectInstances,
        _ entity: EntityImport, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws -> UpdateOutcome {
        let (object, writer) = (entity.object, entity.writer)
        let record = Int(current.records[instance])
        let heldBytes = batch.arena.count
        if let failure = try session.takeFiles(of: instance, changes, &current, writer, &batch) {
            try session.reject(record, of: batch, name, &report, failure)
            current.states[instance] = .rejected
            return .refused
        }
        defer { session.releaseFiles(of: instance, &current, &batch, heldBytes) }
        for position in writer.externals where changes.contains(position) {
            try externalize(position, instance, &current, &batch)
        }
        try session.noteReplacedParts(of: primaryKey, changes, entity)
        var isChanged = true
        let refusal = try Self.constraintMessage {
            let files = changes.filter { $0 < object.attributes.count && current.file(instance, $0) != nil }
            try log.loggingUpdate(session.recordNumber(batch, record), object, primaryKey, changes, files: files) {
                isChanged = try linkCounts.countingToOnes(changes, of: primaryKey, entity) {
                    try writer.update(
                        current, instance, primaryKey: primaryKey, changes: changes, arena: batch.arena)
                }
            }
        }
        if let refusal {
            let rivals = try rivals(of: instance, primaryKey: primaryKey, current, entity, batch)
            if !rivals.isEmpty { try session.refusedObjects?.append(primaryKey, root: object.table.root) }
            try session.reject(record, of: batch, name, &report, object.reason(.notUnique(refusal)), rivals: rivals)
            current.states[instance] = .rejected
            return .refused
        }
        forget(changes, object)
        return isChanged ? .updated : .unchanged
    }

    /// Lets a record with the key of an earlier record of the batch change the object that the earlier one created or
    /// found.
    func follow(
        _ instance: Int, _ current: inout ObjectInstances, _ entity: EntityImport,
        _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport, _ counts: inout ImportReport.EntityReport
    ) throws {
        let leader = Int(current.leaders[instance])
        let object = entity.object
        let primaryKey = current.primaryKeys[leader]
        current.primaryKeys[instance] = primaryKey
        current.entities[instance] = current.entities[leader]
        if primaryKey != 0, object.onMatch == .error, !entity.source.rejectsMatchesLate {
            try session.reject(Int(current.records[instance]), of: batch, name, &report, object.reason(.exists))
            current.states[instance] = .rejected
            return
        }
        guard primaryKey != 0, object.onMatch == .update || object.onMatch == .fill else {
            current.outcomes[instance] = .skipped
            counts.skipped += 1
            return
        }
        var merged =
            current.merged.removeValue(forKey: leader)
            ?? MergedInstance(leader, of: current, isRejected: current.states[leader] == .rejected)
        defer { current.merged[leader] = merged }
        if object.onMatch == .fill { try waitBehind(primaryKey, &merged, instance, &current, entity) }
        let changes = try followerChanges(instance, merged, current, entity, batch)
        var outcome = UpdateOutcome.unchanged
        if !changes.isEmpty {
            outcome = try update(primaryKey, with: instance, changes, &current, entity, &batch, name, &report)
        }
        switch outcome {
        case .refused: return
        case .unchanged:
            current.outcomes[instance] = .unchanged
            counts.unchanged += 1
        case .updated:
            current.outcomes[instance] = .updated
            counts.updated += 1
        }
        merged.take(instance, of: current, changes)
        for position in object.toOnes.indices
        where current.toOneKeys[instance * object.toOnes.count + position] == ObjectInstances.waitingKey {
            merged.waits[position] = true
        }
    }

    /// Makes to-one relationships wait that an earlier record may still fill: an empty relationship is filled by the
    /// first record whose destination is found in the end.
    private func waitBehind(
        _ primaryKey: Int64, _ merged: inout MergedInstance, _ instance: Int, _ current: inout ObjectInstances,
        _ entity: EntityImport
    ) throws {
        for (position, relationship) in entity.object.toOnes.enumerated() where relationship.isKeyed {
            let place = instance * current.toOneCount + position
            guard current.toOneKeys[place] > 0 else { continue }
            if !merged.waits[position] {
                merged.waits[position] = try linkStage.pending.contains(
                    entity.relationships[position].number, of: primaryKey)
            }
            guard merged.waits[position] else { continue }
            current.toOneKeys[place] = ObjectInstances.waitingKey
            current.toOnePresent[place] = false
        }
    }

    /// Returns what a record changes in the object of an earlier record of the batch. Values that no record of the
    /// batch contains are looked up in the store.
    private func followerChanges(
        _ instance: Int, _ merged: MergedInstance, _ current: ObjectInstances, _ entity: EntityImport,
        _ batch: RecordBatch
    ) throws -> Set<Int> {
        let object = entity.object
        var changes: Set<Int> = []
        var unknown: Set<Int> = []
        for position in object.attributes.indices where current.isPresent(instance, position) {
            let (new, newFile) = (current.cell(instance, position), current.file(instance, position))
            let (old, oldFile) = (merged.cells[position], merged.files[position])
            if old == nil, oldFile == nil {
                unknown.insert(position)
                continue
            }
            if object.onMatch == .fill,
                new == .null && newFile == nil || old != nil && (old != .some(.null) || oldFile != nil)
            {
                continue
            }
            // The value of an earlier record of the batch may have been moved to a file.
            if object.attributes[position].isExternal, newFile == nil, oldFile == nil, case .blob(let name) = old,
                case .blob(let content) = new,
                external.holds(Array(batch.arena[name.range]), batch.arena[content.range])
            {
                continue
            }
            if old.map({ newFile != oldFile || !Self.isEqual(new, $0, batch.arena) }) ?? true {
                changes.insert(position)
            }
        }
        for position in object.toOnes.indices where object.toOnes[position].column != nil {
            let place = instance * object.toOnes.count + position
            guard current.toOnePresent[place] else { continue }
            let (new, old) = (current.toOneKeys[place], merged.toOnes[position])
            guard let old else {
                unknown.insert(object.attributes.count + position)
                continue
            }
            if object.onMatch == .fill, new <= 0 || old > 0 { continue }
            if old != new { changes.insert(object.attributes.count + position) }
        }
        guard !unknown.isEmpty else { return changes }
        let found = try entity.writer.changes(
            current, instance, of: current.primaryKeys[instance], arena: batch.arena)
        return changes.union(found.intersection(unknown))
    }

    static func isEqual(_ left: ConvertedValue, _ right: ConvertedValue, _ arena: [UInt8]) -> Bool {
        switch (left, right) {
        case (.text(let one), .text(let other)), (.blob(let one), .blob(let other)):
            arena[one.range].elementsEqual(arena[other.range])
        default: left == right
        }
    }
}
