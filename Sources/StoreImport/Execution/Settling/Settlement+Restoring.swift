import ImportMappings
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Restoring of objects as if a record had not existed.
extension Settlement {
    /// Undoes the values that a record gives to objects which stay.
    ///
    /// - Returns: the relationships of objects that another record creates now, with these objects: the links of that
    ///   record apply.
    @_optimize(size)
    func restoreObjects(of record: Int64) throws -> [(number: Int64, owner: Int64)] {
        guard let unproven else { return [] }
        var counting: [(number: Int64, owner: Int64)] = []
        let places = try unproven.said.objects(of: record)
        // Nothing is recorded about an object that was created because a record names it.
        let others = try unproven.records.madeObjects(of: record).filter { made in
            try !places.contains { $0 == made } && !isNamedFirst(made.object, root: made.root, besides: record)
        }
        for (root, object) in places {
            let gone = try unproven.said.all(of: object, root: root).filter { $0.record == record }
            try unproven.said.remove(record, of: object, root: root)
            let isUnmade =
                try unproven.records.role(of: record, object, root: root)?.isMaking ?? false
                && !isNamedFirst(object, root: root, besides: record)
            if isUnmade {
                counting += try makeAgain(object, root: root, without: gone)
            } else {
                try restore(object, root: root)
            }
        }
        for (root, object) in others { counting += try makeAgain(object, root: root, without: []) }
        return counting
    }

    /// Returns whether an object is created because a record other than a revoked one names it, before any record with
    /// its key creates it or is rejected because it is missing.
    private func isNamedFirst(_ object: Int64, root: Int, besides record: Int64) throws -> Bool {
        guard let unproven, let namer = try unproven.records.firstNamer(of: object, root: root, besides: record) else {
            return false
        }
        let maker = try unproven.said.all(of: object, root: root).first { recorded in
            recorded.record != record
                && sources[recorded.source].entities[recorded.mapping].object.onMissing != .skip
        }
        return maker.map { namer < $0.record } ?? true
    }

    /// Lets the next record with the key of an object create it, because the record that created it is revoked.
    ///
    /// - Returns: the relationships in the mapping of that record, with the object.
    @_optimize(size)
    private func makeAgain(
        _ object: Int64, root: Int, without gone: [RecordedObject]
    ) throws -> [(number: Int64, owner: Int64)] {
        guard let unproven, let taken else { return [] }
        let all = try unproven.said.all(of: object, root: root)
        let left = try withoutSkipped(all, of: object, root: root)
        guard let maker = left.first else {
            // Records that only change existing objects do not keep the object.
            if let last = all.last { try remove(object, root: root, of: last) }
            return []
        }
        let entity = sources[maker.source].entities[maker.mapping]
        let mapping = entity.object
        var values: [String: SQLiteValue] = [:]
        for cell in gone.flatMap(\.cells) { values[cell.column] = .null }
        values["Z_ENT"] = .integer(Int64(mapping.entityNumber))
        for cell in maker.cells { values[cell.column] = cell.value }
        try unproven.said.reset(values, before: object, root: root)
        try unproven.records.append(
            AffectedObject(
                root: root, primaryKey: object, entity: Int64(mapping.entityNumber), role: .inserted),
            of: maker.record)
        if try unproven.records.role(of: maker.record, object, root: root) == .inserted {
            try unproven.records.withdrawNamers(
                of: object, root: root, behind: maker.record, besides: Set(left.map(\.record)))
        }
        try linkStage.pending.take(maker.record, of: object, relationships: entity.relationships.map(\.number))
        for relationship in entity.relationships {
            guard let replacement = relationship.replacement else { continue }
            // The first list of an object ends nothing.
            if !replacement.notesNewObjects || replacement.isTwoSided {
                try replacement.removeOwner(object, record: maker.record)
            }
            // Links that the record names stay, even if the object at the other end no longer names them.
            guard replacement.notesNewObjects, try linkStage.pending.contains(relationship.number, of: object) else {
                continue
            }
            try replacement.note(
                owner: object, record: maker.record, adds: relationship.compiled.adds || replacement.isTwoSided)
        }
        if let first = gone.first {
            let other = sources[first.source].entities[first.mapping].object.entityName
            if other != mapping.entityName { unproven.rootsOfOtherEntities.insert(root) }
            tally[other].inserted -= 1
            tally[mapping.entityName].inserted += 1
        }
        if let outcome = maker.outcome {
            try count(outcome, -1, of: maker)
            try unproven.said.set(nil, of: maker)
        }
        if !maker.isWhole {
            let missing = mapping.unfilled.first ?? mapping.attributes.first(where: \.isNeeded)?.attribute.name
            try taken.append(
                maker.record,
                mapping.onMissing == .create
                    ? mapping.reason(.noValue, missing) : mapping.reason(.noMatch))
        }
        try noteArrivals(maker, of: object, root)
        try write(values, left.dropFirst(), to: object, root)
        return entity.relationships.map { ($0.number, object) }
    }

    /// Corrects the entities beside the keys of objects that have another entity now, in the rows that lead to them.
    @_optimize(size)
    func settleEntities() throws {
        guard let roots = unproven?.rootsOfOtherEntities, !roots.isEmpty else { return }
        for relationship in links.mappings.flatMap({ [$0.relationship, layout.model.inverse(of: $0.relationship)] }) {
            guard let relationship, let place = LinkPlace(relationship, layout: layout), let entity = place.entity
            else { continue }
            let isToOne = place.kind == .toOne
            let root = layout.model.entities[isToOne ? relationship.destination : relationship.owner].root
            guard roots.contains(root), let table = layout.table(ofEntity: root)?.name else { continue }
            let key = isToOne ? place.destination : place.owner
            let found = "(SELECT d.Z_ENT FROM \(SQLiteIdentifier.quoted(table)) AS d WHERE d.Z_PK = t.\(key))"
            // Only objects that the import has made have got another entity.
            try connection.execute(
                "UPDATE \(place.table) AS t SET \(entity) = \(found) WHERE \(key) >= ? AND \(entity) <> \(found)",
                [.integer(session.keys.firstNewKey(inTableOf: root))])
        }
    }

    /// Skips the records before the first one that can create the object, and returns the entries of the remaining
    /// records.
    private func withoutSkipped(
        _ recorded: [RecordedObject], of object: Int64, root: Int
    ) throws -> ArraySlice<RecordedObject> {
        let skipped = recorded.prefix { sources[$0.source].entities[$0.mapping].object.onMissing == .skip }
        for record in skipped {
            if let outcome = record.outcome, outcome != .skipped {
                try count(outcome, -1, of: record)
                try count(.skipped, 1, of: record)
            }
            try session.noteSkipped(record)
            try unproven?.said.remove(record.record, of: object, root: root)
            try unproven?.records.remove(record.record, of: object, root: root)
            try linkStage.pending.remove(
                record.record, of: object,
                relationships: sources[record.source].entities[record.mapping].relationships.map(\.number))
        }
        return recorded.dropFirst(skipped.count)
    }

    /// Removes an object that no record creates any more.
    @_optimize(size)
    private func remove(_ object: Int64, root: Int, of last: RecordedObject) throws {
        guard let unproven, let taken, let table = layout.table(ofEntity: root) else { return }
        unproven.hasUnmadeObjects = true
        let entity = try connection.cells(SQLiteIdentifier.quoted(table.name), object, ["Z_ENT"]).first?.integer
        try remove(
            AffectedObject(
                root: root, primaryKey: object, entity: entity ?? Int64(layout.entityNumbers[root]), role: .inserted),
            of: last.record, unproven, taken)
    }

    /// Gives an object the values that it had before, and applies the changes of the remaining records.
    func restore(_ object: Int64, root: Int) throws {
        guard let unproven else { return }
        let values = try unproven.said.values(before: object, root: root)
        guard !values.isEmpty else { return }
        try write(values, try unproven.said.all(of: object, root: root)[...], to: object, root)
    }

    /// Applies the changes of records to the values of an object one after the other, and writes the result.
    @_optimize(size)
    private func write(
        _ values: [String: SQLiteValue], _ records: some Sequence<RecordedObject>, to object: Int64, _ root: Int
    ) throws {
        guard let table = layout.table(ofEntity: root) else { return }
        var values = values
        for recorded in records {
            var isKnown = true
            var isChanged = false
            for cell in recorded.cells where cell.isSaid {
                guard let old = values[cell.column] else {
                    isKnown = false
                    continue
                }
                if recorded.policy == .fill, old != .null || cell.value == .null { continue }
                guard old != cell.value else { continue }
                values[cell.column] = cell.value
                isChanged = true
            }
            if isChanged { try noteArrivals(recorded, of: object, root) }
            let outcome: RecordCount.Kind = isChanged ? .updated : .unchanged
            if isKnown, let old = recorded.outcome, old != .skipped, old != outcome {
                try count(old, -1, of: recorded)
                try count(outcome, 1, of: recorded)
                try unproven?.said.set(outcome, of: recorded)
            }
        }
        try clearLost(&values, root)
        try update(object, of: table, root, to: values)
    }

    /// Notes the owners that a record names by to-one relationships, because they apply now and did not when the record
    /// was read.
    private func noteArrivals(_ recorded: RecordedObject, of object: Int64, _ root: Int) throws {
        guard !places.isEmpty else { return }
        for (number, mapping) in links.mappings.enumerated() where mapping.root == root {
            guard let arrivals = places.arrivals(of: Int64(number)),
                let column = mapping.column.map({ SQLiteIdentifier.quoted($0) }),
                case .integer(let owner) = recorded.cells.first(where: { $0.column == column })?.value
            else { continue }
            try arrivals.note(object, of: owner, record: recorded.record)
        }
    }

    /// Empties the to-one relationships whose destinations have been removed, and are not created again.
    private func clearLost(_ values: inout [String: SQLiteValue], _ root: Int) throws {
        for mapping in links.mappings where mapping.root == root {
            let destinationRoot = layout.model.entities[mapping.relationship.destination].root
            guard let column = mapping.column.map({ SQLiteIdentifier.quoted($0) }),
                case .integer(let destination) = values[column],
                try !exists(destination, root: destinationRoot),
                try !makeAgain(removed: destination, root: destinationRoot)
            else { continue }
            values[column] = .null
            if let entity = mapping.entityColumn { values[SQLiteIdentifier.quoted(entity)] = .null }
        }
    }

    @_optimize(size)
    func update(
        _ object: Int64, of table: EntityTable, _ root: Int, to values: [String: SQLiteValue]
    ) throws {
        let name = SQLiteIdentifier.quoted(table.name)
        let columns = values.keys.sorted()
        let before = columns.isEmpty ? [] : try connection.cells(name, object, columns)
        guard !columns.isEmpty, before.count == columns.count else { return }
        let changed = columns.indices.filter { before[$0] != values[columns[$0]] }
        guard !changed.isEmpty else { return }
        do throws(SQLiteError) {
            try connection.execute(
                "UPDATE \(name) SET \(changed.map { "\(columns[$0]) = ?" }.joined(separator: ", ")) WHERE Z_PK = ?",
                changed.map { values[columns[$0]] ?? .null } + [.integer(object)])
        } catch {
            guard error.isConstraint else { throw error }
            return try settle(error, of: object, table, root, values)
        }
        let slot = try connection.cells(name, object, ["Z_ENT"]).first?.integer.flatMap {
            layout.slot(ofEntityNumber: Int($0))
        }
        for (number, mapping) in links.mappings.enumerated() where mapping.root == root {
            guard let slot, let column = mapping.column,
                let index = changed.first(where: { columns[$0] == SQLiteIdentifier.quoted(column) })
            else { continue }
            try linkCounts.countToOne(
                ToOneOwner(link: Int64(number), key: object, slot: slot), from: before[index].integer ?? 0,
                to: values[columns[index]]?.integer ?? 0)
            try unproven?.oneToOnes.noteOwner(object, Int64(number))
        }
        for resolver in resolvers where layout.model.entities[resolver.slot].root == root { resolver.forgetAll() }
    }

    /// Changes how a record is counted.
    private func count(_ kind: RecordCount.Kind, _ number: Int64, of recorded: RecordedObject) throws {
        try count(kind, number, of: recorded.record, sources[recorded.source].entities[recorded.mapping].object)
    }

    /// Changes how a record of a mapping is counted.
    func count(_ kind: RecordCount.Kind, _ number: Int64, of record: Int64, _ object: CompiledObject) throws {
        tally[object.entityName].subtract(
            RecordCount(slot: object.slot, kind: kind, number: -number))
        guard let unproven, try unproven.records.contains(record: record) else { return }
        try unproven.records.append(RecordCount(slot: object.slot, kind: kind, number: number), of: record)
    }
}
