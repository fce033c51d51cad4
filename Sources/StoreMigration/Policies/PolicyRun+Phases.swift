import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The phases, in Core Data's order.
extension PolicyRun {
    /// Runs one phase of one entity mapping, batch by batch.
    func run(_ step: PolicyStep, beginBatch: () throws -> Void, endBatch end: () throws -> Void) throws {
        let current = try current(step)
        func endBatch() throws {
            // A row that is still read would keep the store locked.
            leaveRows()
            try end()
        }
        func batch(_ body: () throws -> Void) throws {
            try beginBatch()
            try body()
            try flush()
            reportRows()
            try endBatch()
        }
        guard let context = current.context else { return }
        switch (step.stage, current.policy) {
        case (.instances, let policy?):
            try batch { try guarded(current, nil) { try policy.begin(context) } }
            try createInstances(current, policy, context, beginBatch, endBatch)
            try batch { try guarded(current, nil) { try policy.endInstanceCreation(in: context) } }
        case (.instances, nil): try runCommand(current, context, beginBatch, endBatch)
        case (.relationships, let policy?):
            try createRelationships(current, policy, context, beginBatch, endBatch)
            try batch { try guarded(current, nil) { try policy.endRelationshipCreation(in: context) } }
        case (.validation, let policy?):
            try batch {
                try guarded(current, nil) {
                    try checkRequiredRelationships(current)
                    try policy.performCustomValidation(in: context)
                    try policy.end(context)
                }
            }
        case (.relationships, nil): try current.answers?.makeLinks(beginBatch, endBatch)
        case (.validation, nil): try guarded(current, nil) { try checkRequiredRelationships(current) }
        }
    }

    private func createInstances(
        _ current: Current, _ policy: EntityMigrationPolicy, _ context: MigrationContext,
        _ beginBatch: () throws -> Void,
        _ endBatch: () throws -> Void
    ) throws {
        let step = current.step
        let select = try connection.prepare(step.selectStatement)
        let source = SourceObject(step.record, row: select, run: self)
        var lower = Int64.min
        while true {
            try beginBatch()
            try select.bindInteger(lower, at: 1)
            try select.bindInteger(.max, at: 2)
            var rows = 0
            while rows < limits.rows, try select.step() {
                source.key = select.integer(step.recordColumn)
                try guarded(current, source) {
                    try policy.createDestinationInstances(for: source, in: context)
                    try flushObjects(of: current)
                }
                rows += 1
                lower = source.key
            }
            select.reset()
            try guarded(current, source) { try flush() }
            reportRows()
            try endBatch()
            guard rows == limits.rows, lower < .max else { break }
            lower += 1
        }
    }

    /// Each pair of a destination object and its source, in the order of the sources.
    private func createRelationships(
        _ current: Current, _ policy: EntityMigrationPolicy, _ context: MigrationContext,
        _ beginBatch: () throws -> Void,
        _ endBatch: () throws -> Void
    ) throws {
        let step = current.step
        guard case .associated(let table, _) = step.mapping.keys else { return }
        let record = SourceRecordLayout(
            entity: step.mapping.source, of: program.source, naming: program.naming)
        let select = try connection.prepare(
            "SELECT a.source, a.destination, a.entity FROM \(table) a WHERE (a.source, a.destination) > (?1, ?2) "
                + "ORDER BY a.source, a.destination")
        // Most policies ask for nothing here.
        let row = try connection.prepare(
            "SELECT \(record.columns.joined(separator: ", ")) FROM \(step.fill.source) s WHERE s.Z_PK = ?1")
        let except = try connection.prepare("INSERT INTO \(table)_EXCEPT VALUES (?1)", persistent: true)
        let source = SourceObject(record, row: row, run: self)
        defer { source.leave() }
        var object: DestinationObject?
        var last = (Int64.min, Int64.min)
        while true {
            try beginBatch()
            try select.bindInteger(last.0, at: 1)
            try select.bindInteger(last.1, at: 2)
            var rows = 0
            while rows < limits.rows, try select.step() {
                last = (select.integer(0), select.integer(1))
                source.move(to: last.0)
                let number = Int(select.integer(2))
                let target: DestinationObject
                if object?.writer.entityNumber == number, isKnownUniquelyReferenced(&object), let object {
                    object.reuse(key: last.1, row: nil)
                    target = object
                } else {
                    guard let slot = program.destination.slot(ofEntityNumber: number) else { continue }
                    target = DestinationObject(try writer(slot), key: last.1, row: nil, run: self)
                    object = target
                }
                target.isWritten = true
                current.usesMappedRelationships = false
                try guarded(current, source) {
                    try policy.createRelationships(for: target, of: source, in: context)
                    try flushObjects(of: nil)
                }
                if !current.usesMappedRelationships {
                    try except.bindInteger(last.1, at: 1)
                    try except.run()
                }
                rows += 1
            }
            select.reset()
            source.leave()
            try guarded(current, source) { try flush() }
            reportRows()
            try endBatch()
            guard rows == limits.rows else { break }
        }
    }

    /// What a policy throws becomes the migration's error, with the object that it was about.
    func guarded<T>(_ current: Current, _ source: SourceObject?, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as MigrationError {
            throw error
        } catch let error as StoreError {
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
