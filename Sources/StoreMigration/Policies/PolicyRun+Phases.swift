import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// The phases, in Core Data's order.
extension PolicyRun {
    /// Runs one phase of one entity mapping, batch by batch. The work of an earlier run is not repeated.
    func run(_ step: PolicyStep, _ batches: PolicyBatches) throws {
        let current = try current(step)
        guard let context = current.context else { return }
        links.isClosed = step.stage == .validation
        guard let policy = current.policy else { return try run(step.stage, current, context, batches) }
        switch step.stage {
        case .instances: try createInstances(current, policy, context, batches)
        case .relationships: try createRelationships(current, policy, context, batches)
        case .validation:
            try begin(current, batches)
            try guarded(current, nil) {
                try checkRequiredRelationships(current)
                try policy.performCustomValidation(in: context)
                try policy.end(context)
            }
            try end(nil, current, batches)
        }
    }

    /// Begins a batch. In the first batch of this run, the policy's `begin` is called.
    private func begin(_ current: Current, _ batches: PolicyBatches) throws {
        try batches.begin()
        guard !current.hasBegun, let policy = current.policy, let context = current.context else { return }
        current.hasBegun = true
        try beginBuilding(current)
        try guarded(current, nil) { try policy.begin(context) }
    }

    /// Ends a batch. Everything is written, and all rows are released, because they would keep the store locked.
    func end(_ next: Int64?, _ current: Current, _ batches: PolicyBatches, at source: SourceObject? = nil) throws {
        try guarded(current, source) { try flush() }
        reportRows()
        leaveRows()
        try batches.end(next)
    }

    @_optimize(speed)
    private func createInstances(
        _ current: Current, _ policy: EntityMigrationPolicy, _ context: MigrationContext, _ batches: PolicyBatches
    ) throws {
        let rows = try PolicyRows(current.step, self, from: batches.first ?? .min)
        current.ahead = rows.row.ahead
        defer {
            rows.stop()
            (current.spare, current.ahead) = (nil, nil)
        }
        let source = SourceObject(current.step.record, row: rows.row, run: self)
        let limit = limits.rows
        while true {
            try begin(current, batches)
            var count = 0
            while count < limit, let key = try rows.next() {
                source.key = key
                try guarded(current, source) {
                    try policy.createDestinationInstances(for: source, in: context)
                    try flushObjects(of: current)
                }
                count += 1
            }
            rows.leave()
            guard count == limit, source.key < .max else { break }
            try end(source.key + 1, current, batches, at: source)
        }
        try guarded(current, source) { try flush() }
        try guarded(current, nil) { try policy.endInstanceCreation(in: context) }
        try end(nil, current, batches)
    }

    /// Calls the policy for each pair of a destination object and its source, in the order of the sources. The objects
    /// of one source are in one batch, so that another run can continue with the next source.
    @_optimize(speed)
    private func createRelationships(
        _ current: Current, _ policy: EntityMigrationPolicy, _ context: MigrationContext, _ batches: PolicyBatches
    ) throws {
        let step = current.step
        guard case .associated(let table, _) = step.mapping.keys else { return }
        let record = SourceRecordLayout(
            entity: step.mapping.source, of: program.source, naming: program.naming)
        // The row is only looked up when it is needed, because most policies do not read it here.
        let row = try connection.prepare(
            "SELECT \(record.columns.joined(separator: ", ")) FROM \(step.fill.source) s WHERE s.Z_PK = ?1")
        let except = try connection.prepare("INSERT INTO \(table)_EXCEPT VALUES (?1)", persistent: true)
        let source = SourceObject(record, row: PolicyRow(row), run: self)
        defer { source.leave() }
        var object: DestinationObject?
        var objectNumber: Int?
        let limit = limits.rows
        var next: Int64? = batches.first ?? .min
        while let first = next {
            next = nil
            try begin(current, batches)
            var pairs = try self.pairs(current, table, from: first)
            var rows = 0
            var last = first
            while let (from, key, number) = try pairs.next() {
                if rows >= limit, from != last {
                    next = from
                    break
                }
                last = from
                rows += 1
                source.move(to: from)
                let target: DestinationObject
                if number == objectNumber, isKnownUniquelyReferenced(&object), let object {
                    object.reuse(key: key, row: nil)
                    target = object
                } else {
                    guard let slot = program.destination.slot(ofEntityNumber: number) else { continue }
                    target = DestinationObject(try writer(slot), key: key, row: nil, run: self)
                    (object, objectNumber) = (target, number)
                }
                target.isWritten = true
                context.usesMappedRelationships = false
                try guarded(current, source) {
                    try policy.createRelationships(for: target, of: source, in: context)
                    if !pending.isEmpty { try flushObjects(of: nil) }
                }
                if !context.usesMappedRelationships {
                    try except.bindInteger(key, at: 1)
                    try except.run()
                }
            }
            pairs.end()
            source.leave()
            if next == nil {
                try guarded(current, source) { try flush() }
                try guarded(current, nil) { try policy.endRelationshipCreation(in: context) }
            }
            try end(next, current, batches, at: source)
        }
    }

    /// Returns the pairs of a mapping. They are known if they follow from the keys of appended objects; otherwise they
    /// are read.
    private func pairs(_ current: Current, _ table: String, from first: Int64) throws -> PolicyPairs {
        if current.made.isWhole, current.step.pairsView != nil, let writer = current.writer,
            try isView(String(table.dropFirst("main.".count)))
        {
            return PolicyPairs(current.made, entity: writer.entityNumber, from: first)
        }
        let sql =
            "SELECT a.source, a.destination, a.entity FROM \(table) a WHERE a.source >= ?1 "
            + "ORDER BY a.source, a.destination"
        return try PolicyPairs(noted: pairStatement(sql), from: first)
    }

    /// Calls a closure. An error that a policy throws becomes an error of the migration, with the object that was
    /// processed.
    func guarded<T>(_ current: Current, _ source: SourceObject?, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as MigrationError {
            throw error
        } catch let error as StoreError {
            throw error
        } catch let error as BuildError {
            throw error
        } catch let error as SQLiteError where error.isInterrupted || error.isFull || error.isCorrupt {
            throw error
        } catch {
            throw MigrationError(
                .policy(mapping: current.step.mapping.name, object: source?.objectID.uri, reason: Self.text(of: error)),
                path: external.path)
        }
    }

    private static func text(of error: any Error) -> String {
        let text = "\(error)"
        return text.isEmpty ? "it gave no reason" : text
    }
}
