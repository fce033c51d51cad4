import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Conflicts over unique values: without a revoked record, an object has a value again that another object has got
/// meanwhile.
extension Settlement {
    /// Resolves a conflict over unique values, when an object is to get values back that another object has.
    ///
    /// Of the records that gave one of the two objects these values, the last one is revoked, as it would have been
    /// rejected immediately. If no record can be revoked, the object does not get the values back, and the report says
    /// so.
    @_optimize(size)
    func settle(
        _ conflict: SQLiteError, of object: Int64, _ table: EntityTable, _ root: Int, _ values: [String: SQLiteValue]
    ) throws {
        for columns in try indexes.uniqueColumns(of: table.name) {
            guard let other = try rival(of: object, table, columns, values) else { continue }
            let wanted = columns.compactMap { column in values[column].map { (column, $0) } }
            let theirs = try lastRecord(saying: wanted, of: other, root)
            let own = try lastRecord(saying: wanted, of: object, root)
            if let last = [theirs, own].compactMap({ $0 }).max(by: { $0.record < $1.record }) {
                let mapping = sources[last.source].entities[last.mapping].object
                try taken?.append(last.record, mapping.reason(.notUnique(conflict.message)))
                unproven?.unrestored.append((object, root))
                return
            }
            // No record can be revoked: the object keeps the values that it has in these columns.
            let name = layout.model.entities[root].name
            tally.report.findings.append(
                "\(name): an object does not have again what a rejected record had changed, since another object has it "
                    + "meanwhile (\(conflict.message))")
            let others = values.filter { !columns.contains($0.key) }
            return try update(object, of: table, root, to: others)
        }
        throw conflict
    }

    /// Writes a link. If another object then has the same unique values, the later one of the two records is rejected.
    /// If this is the record of the other object, the link is written again after that record is revoked.
    ///
    /// - Parameter refuse: called with the record that is rejected, and the reason.
    @_optimize(size)
    func settlingConflict(
        of link: PendingLink, _ writer: LinkWriter, leadingTo found: KeyIndex.Target,
        _ refuse: (_ record: Int64, _ rejection: RejectionReason) throws -> Void, _ write: () throws -> Void
    ) throws {
        let conflict: SQLiteError
        do {
            return try write()
        } catch let error as SQLiteError where error.isConstraint {
            conflict = error
        }
        let place = writer.place
        let isToOne = place.kind == .toOne
        let object = isToOne ? link.owner : found.primaryKey
        let values = [
            isToOne ? place.destination : place.owner: SQLiteValue.integer(isToOne ? found.primaryKey : link.owner)
        ]
        guard let table = layout.tables.first(where: { SQLiteIdentifier.quoted($0.name) == place.table }) else {
            throw conflict
        }
        for columns in try indexes.uniqueColumns(of: table.name) {
            guard let other = try rival(of: object, table, columns, values) else { continue }
            let wanted = Array(zip(columns, try connection.cells(place.table, other, columns)))
            guard let theirs = try lastRecord(saying: wanted.map { (column: $0, value: $1) }, of: other, table.root),
                theirs.record > link.record
            else { continue }
            try unproven?.named.lose(link)
            let mapping = sources[theirs.source].entities[theirs.mapping].object
            return try refuse(theirs.record, mapping.reason(.notUnique(conflict.message)))
        }
        guard try unproven?.records.contains(record: link.record) ?? false else { throw conflict }
        let slot = isToOne ? self.object(of: link).slot : relationship(of: link).compiled.relationship.destination
        try refuse(
            link.record, RejectionReason(.notUnique(conflict.message), entity: layout.model.entities[slot].name))
    }

    /// Restores the objects that could not get their values back while other objects had them.
    ///
    /// - Returns: whether there were such objects.
    func restoreLeftObjects() throws -> Bool {
        guard let unproven, !unproven.unrestored.isEmpty else { return false }
        let objects = unproven.unrestored
        unproven.unrestored = []
        // An object may have a value that another one is to get back.
        for (object, root) in objects { try clearUniqueValues(of: object, root) }
        for (object, root) in objects { try restore(object, root: root) }
        return true
    }

    /// Sets those unique attributes of an object to NULL that it is about to get back.
    private func clearUniqueValues(of object: Int64, _ root: Int) throws {
        guard let unproven, let table = layout.table(ofEntity: root) else { return }
        let values = try unproven.said.values(before: object, root: root)
        let toOnes = Set(
            links.mappings.flatMap { [$0.column, $0.entityColumn] }.compactMap {
                $0.map { SQLiteIdentifier.quoted($0) }
            })
        let cleared = Set(try indexes.uniqueColumns(of: table.name).joined())
            .filter { values[$0] != nil && !toOnes.contains($0) }
        guard !cleared.isEmpty else { return }
        try connection.execute(
            "UPDATE \(SQLiteIdentifier.quoted(table.name)) SET "
                + "\(cleared.sorted().map { "\($0) = NULL" }.joined(separator: ", ")) WHERE Z_PK = ?",
            [.integer(object)])
    }

    /// Returns another object that has the values of a unique index which an object is to have; nil if there is none.
    private func rival(
        of object: Int64, _ table: EntityTable, _ columns: [String], _ values: [String: SQLiteValue]
    ) throws -> Int64? {
        let name = SQLiteIdentifier.quoted(table.name)
        let current = try connection.cells(name, object, columns)
        guard current.count == columns.count else { return nil }
        let wanted = zip(columns, current).map { values[$0] ?? $1 }
        guard !wanted.contains(.null) else { return nil }
        return try connection.rows(
            "SELECT Z_PK FROM \(name) WHERE \(columns.map { "\($0) = ?" }.joined(separator: " AND ")) AND Z_PK <> ?",
            wanted + [.integer(object)]
        ).first?.first?.integer
    }

    /// Returns the last record that gave an object one of the values, if it can be revoked; otherwise nil.
    private func lastRecord(
        saying values: [(column: String, value: SQLiteValue)], of object: Int64, _ root: Int
    ) throws -> RecordedObject? {
        guard let unproven else { return nil }
        let makers = try unproven.said.all(of: object, root: root)
        return try makers.last { recorded in
            let isMaker = recorded.outcome == nil
            return try unproven.records.contains(record: recorded.record)
                && recorded.cells.contains { cell in
                    (cell.isSaid || isMaker) && values.contains { $0.column == cell.column && $0.value == cell.value }
                }
        }
    }
}
