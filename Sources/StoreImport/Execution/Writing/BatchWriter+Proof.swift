import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import RecordSources
import SQLiteAccess

/// The records of a batch that are proven, and those that may still be rejected.
extension BatchWriter {
    /// Stores the changes of the open records of a batch, and forgets those of the others.
    func settle(_ source: SourceImport, _ batch: RecordBatch) throws {
        guard let unproven else { return }
        defer { log.removeAll() }
        guard source.mayOpen || !unproven.records.roots.isEmpty else { return }
        for (record, object) in log.affected where !log.open.contains(record) {
            if try session.obligations.hasFault(object) { log.open.insert(record) }
        }
        for entity in source.entities {
            try findUnproven(entity, of: source, batch)
            try findReplacing(entity, batch)
        }
        var written = Set<Int64>()
        var indexByNumber: [Int64: Int] = [:]
        for record in 0..<batch.count { indexByNumber[session.recordNumber(batch, record)] = record }
        for entity in source.entities { try findDependents(entity, batch, unproven.records) }
        // Records that depend on an open record are open as well, and so on.
        while true {
            let added = log.open.subtracting(written)
            if added.isEmpty { break }
            for number in added.sorted() {
                guard let record = indexByNumber[number], !batchState.isRejected[record] else { continue }
                try unproven.records.append(session.entry(number, record, batch))
            }
            written.formUnion(added)
            for entity in source.entities {
                try forEachInstance(entity, batch) { instance, number in
                    guard written.contains(number),
                        !batchState.isRejected[Int(entity.instances.records[instance])]
                    else { return }
                    // A part that is skipped may have no object, but it is counted.
                    let hasObject = !hasNoObject(entity, instance)
                    if hasObject { try keep(entity, instance, number, unproven.records) }
                    guard added.contains(number) else { return }
                    if hasObject { try self.record(entity, instance, of: number, in: batch.arena) }
                    guard let kind = countKind(entity, instance) else { return }
                    try unproven.records.append(RecordCount(slot: entity.object.slot, kind: kind), of: number)
                }
            }
            for (number, object) in log.affected where added.contains(number) {
                try unproven.records.append(object, of: number)
            }
            for (number, count) in log.counts where added.contains(number) {
                try unproven.records.append(count, of: number)
            }
            for (number, change) in log.changes where added.contains(number) {
                try unproven.records.append(change, of: number)
            }
            for entity in source.entities { try findDependents(entity, batch, unproven.records) }
        }
        for (number, object, column, value) in log.values where written.contains(number) {
            try unproven.said.keep(value, in: column, of: object.key, root: object.root)
        }
        try noteSharing(source, batch, unproven.records)
    }

    /// Rejects the records of a batch that must not find an existing object and have found one that stays.
    func rejectMatches(
        of source: SourceImport, _ batch: inout RecordBatch, _ name: String,
        _ report: inout ImportReport.SourceReport
    ) throws {
        guard source.rejectsMatchesLate else { return }
        for entity in source.entities where entity.object.onMatch == .error {
            for instance in 0..<entity.instances.count
            where entity.instances.states[instance] != .inserted && !hasNoObject(entity, instance) {
                // The batch is written again without the record that created the object.
                let leader = Int(entity.instances.leaders[instance])
                if leader >= 0, batchState.isRejected[Int(entity.instances.records[leader])] { continue }
                let key = entity.instances.primaryKeys[instance]
                guard try unproven?.records.makingRole(of: key, root: entity.object.table.root) == nil else { continue }
                try session.reject(
                    Int(entity.instances.records[instance]), of: batch, name, &report,
                    entity.object.reason(.exists))
            }
        }
    }

    private func hasNoObject(_ entity: EntityImport, _ instance: Int) -> Bool {
        batchState.isRejected[Int(entity.instances.records[instance])] || entity.instances.primaryKeys[instance] == 0
    }

    private func forEachInstance(
        _ entity: EntityImport, _ batch: RecordBatch,
        _ body: (_ instance: Int, _ number: Int64) throws -> Void
    ) rethrows {
        for instance in 0..<entity.instances.count {
            try body(instance, session.recordNumber(batch, Int(entity.instances.records[instance])))
        }
    }

    /// Notes the records as open whose objects have a unique value that another object had, until a record changed it
    /// that may be revoked.
    private func findReplacing(_ entity: EntityImport, _ batch: RecordBatch) throws {
        guard let unproven, !entity.uniqueColumns.isEmpty else { return }
        let (table, root) = (SQLiteIdentifier.quoted(entity.object.table.name), entity.object.table.root)
        for (_, object, column, value) in log.values
        where object.root == root && entity.uniqueColumns.contains(column) {
            try unproven.replaced.append(value, in: column, root: root)
        }
        guard unproven.replaced.roots.contains(root) else { return }
        try forEachInstance(entity, batch) { instance, number in
            guard !hasNoObject(entity, instance), !log.open.contains(number),
                entity.instances.states[instance] != .skipped,
                try unproven.replaced.has(
                    entity.instances.primaryKeys[instance], of: table, root: root, columns: entity.uniqueColumns)
            else { return }
            log.open.insert(number)
        }
    }

    /// Notes the records as open that create objects with a limited to-many relationship: other records may take their
    /// destinations, or the links may end.
    func noteOpenMakers(_ entity: EntityImport, _ batch: RecordBatch) throws {
        guard unproven != nil,
            try session.obligations.checks(of: entity.object.slot).contains(where: \.rule.isToMany)
        else { return }
        forEachInstance(entity, batch) { instance, number in
            guard entity.instances.states[instance] == .inserted, !hasNoObject(entity, instance) else { return }
            log.open.insert(number)
        }
    }

    /// Notes the records as open whose new objects do not fulfill the rules of the model yet.
    private func findUnproven(_ entity: EntityImport, of source: SourceImport, _ batch: RecordBatch) throws {
        let object = entity.object
        let checks = try session.obligations.checks(of: object.slot)
        guard !checks.isEmpty else { return }
        let positions = checks.map { check in object.toOnes.firstIndex { $0.relationship.key == check.relationship } }
        let mapped = Set(source.entities.flatMap { $0.object.toOnes.map(\.relationship.key) })
        // Another record of the batch may have given an object such a link, and that record may be revoked.
        let areGiven = checks.map { $0.rule.minimum > 0 && mapped.contains($0.relationship) }
        try forEachInstance(entity, batch) { instance, number in
            guard entity.instances.states[instance] == .inserted, !hasNoObject(entity, instance),
                !log.open.contains(number)
            else { return }
            for (index, check) in checks.enumerated() {
                if let position = positions[index],
                    entity.instances.toOneKeys[instance * object.toOnes.count + position] > 0
                {
                    // A list may end the link.
                    guard entity.relationships[position].isShared else { continue }
                    log.open.insert(number)
                    return
                }
                if try areGiven[index] || check.fault(of: entity.instances.primaryKeys[instance]) != nil {
                    log.open.insert(number)
                    return
                }
            }
        }
    }

    /// Notes the records as open that require an object which may be removed, or that would create it if it were
    /// removed.
    func findDependents(
        _ entity: EntityImport, _ batch: RecordBatch, _ openRecords: PendingRecords
    ) throws {
        guard !openRecords.roots.isEmpty else { return }
        let object = entity.object
        if openRecords.roots.contains(object.table.root) {
            // If the object is removed, a record that lacks something cannot create it, nor can a record whose new
            // object would have too few links. And a record that must not find an existing object applies only in this
            // case.
            let isRuled = try !session.obligations.checks(of: object.slot).isEmpty
            try forEachInstance(entity, batch) { instance, number in
                guard entity.instances.primaryKeys[instance] > 0, entity.instances.states[instance] != .inserted,
                    !batchState.isRejected[Int(entity.instances.records[instance])], !log.open.contains(number),
                    isRuled || object.onMatch == .error || lacksSomething(entity, instance),
                    try openRecords.makingRole(
                        of: entity.instances.primaryKeys[instance], root: object.table.root) != nil
                else { return }
                log.open.insert(number)
            }
        }
        for (position, relationship) in object.toOnes.enumerated() {
            guard case .key(let target) = relationship.target,
                target.missing == .required || !relationship.relationship.isOptional
                    || entity.relationships[position].makesNeedy
            else { continue }
            let root = layout.model.entities[target.slot].root
            guard openRecords.roots.contains(root) else { continue }
            try forEachInstance(entity, batch) { instance, number in
                let key = entity.instances.toOneKeys[instance * object.toOnes.count + position]
                guard key > 0, !batchState.isRejected[Int(entity.instances.records[instance])],
                    !log.open.contains(number),
                    try openRecords.contains(key, root: root)
                else { return }
                log.open.insert(number)
            }
        }
    }

    /// Returns how an object that existed is counted; nil if the record creates the object, which is subtracted from
    /// the counts when it is removed.
    func countKind(_ entity: EntityImport, _ instance: Int) -> RecordCount.Kind? {
        if entity.instances.makers.contains(instance) { return nil }
        let state = entity.instances.states[instance]
        switch state == .follower ? entity.instances.outcomes[instance] : state {
        case .updated: return .updated
        case .unchanged: return .unchanged
        case .skipped: return .skipped
        default: return nil
        }
    }

    private func keep(_ entity: EntityImport, _ instance: Int, _ number: Int64, _ openRecords: PendingRecords) throws {
        try openRecords.append(
            AffectedObject(
                root: entity.object.table.root, primaryKey: entity.instances.primaryKeys[instance],
                entity: entity.instances.entities[instance],
                role: entity.instances.states[instance] == .inserted ? .inserted : .shared),
            of: number)
    }

    /// Notes that other records also have the object of an open record, so that it stays if that record is revoked.
    private func noteSharing(_ source: SourceImport, _ batch: RecordBatch, _ openRecords: PendingRecords) throws {
        for entity in source.entities where openRecords.roots.contains(entity.object.table.root) {
            let root = entity.object.table.root
            try forEachInstance(entity, batch) { instance, number in
                guard !log.open.contains(number), !hasNoObject(entity, instance),
                    entity.instances.states[instance] != .inserted,
                    try openRecords.contains(entity.instances.primaryKeys[instance], root: root)
                else { return }
                try keep(entity, instance, number, openRecords)
                try self.record(entity, instance, of: number, in: batch.arena)
            }
        }
    }
}
