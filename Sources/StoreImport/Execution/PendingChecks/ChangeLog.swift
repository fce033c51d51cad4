import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The changes that the records of a batch make, as far as they may have to be undone later.
///
/// Nothing is noted if no record of the import can be rejected after it has been written.
final class ChangeLog {
    private(set) var changes: [(record: Int64, change: StoreChange)] = []
    /// The values that columns of objects had before the records changed them.
    private(set) var values: [(record: Int64, object: (key: Int64, root: Int), column: String, value: SQLiteValue)] = []
    /// The objects whose relationships the records changed, in addition to the objects that the records created.
    private(set) var affected: [(record: Int64, object: AffectedObject)] = []
    /// What the records add to the counts of links.
    private(set) var counts: [(record: Int64, count: RecordCount)] = []
    /// The records that are known to be open: they may still be rejected when all records are read.
    var open = Set<Int64>()

    private let connection: Connection
    private let layout: StoreLayout
    private let unproven: UnprovenRecords?
    private let linkCounts: LinkCounts
    /// By file, whether all changes of its records are noted.
    private let isWhole: [Bool]

    /// - Parameter session: the session, whose mappings have been prepared.
    init(_ session: ImportSession) {
        connection = session.connection
        layout = session.layout
        unproven = session.unproven
        linkCounts = session.linkCounts
        isWhole = session.scope.files.map { session.sources[$0].logsEveryObject }
    }

    func removeAll() {
        changes.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        affected.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
    }

    /// Returns whether the changes of a record are noted.
    func isLogging(_ record: Int64) -> Bool {
        unproven != nil && (open.contains(record) || isWhole[RecordNumber.file(of: record)])
    }

    /// Notes a change of a record.
    func note(_ change: StoreChange, of record: Int64) {
        changes.append((record, change))
    }

    /// Runs a closure that changes a row, and notes the values that the row had before.
    func logging<Result>(
        _ record: Int64, _ table: String, _ key: Int64, _ columns: [String], _ body: () throws -> Result
    ) throws -> Result {
        guard isLogging(record) else { return try body() }
        let before = try connection.cells(table, key, columns)
        let result = try body()
        let after = try connection.cells(table, key, columns)
        for (index, column) in columns.enumerated() where index < before.count && index < after.count {
            guard before[index] != after[index] else { continue }
            note(
                StoreChange(
                    kind: .cell, table: table, key: key, column: column, old: before[index], new: after[index]),
                of: record)
        }
        return result
    }

    /// Runs a closure that changes an object by its mapping, and notes the values that the object had before.
    func loggingUpdate(
        _ record: Int64, _ object: CompiledObject, _ key: Int64, _ changes: Set<Int>, files: Set<Int>,
        _ body: () throws -> Void
    ) throws {
        guard isLogging(record) else { return try body() }
        // The final values of other columns are computed from the recorded values of all records. Values in files are
        // not recorded.
        var logged = ["Z_OPT"]
        var columns: [String] = []
        for position in changes {
            if position < object.attributes.count {
                let column = SQLiteIdentifier.quoted(object.attributes[position].column)
                if files.contains(position) { logged.append(column) } else { columns.append(column) }
            } else {
                let relationship = object.toOnes[position - object.attributes.count]
                columns += [relationship.column, relationship.entityColumn].compactMap {
                    $0.map { SQLiteIdentifier.quoted($0) }
                }
                if let column = relationship.column, PendingChecks.isInverseRuled(relationship.relationship, layout),
                    let old = try connection.cells(
                        SQLiteIdentifier.quoted(object.table.name), key, [SQLiteIdentifier.quoted(column)]
                    )
                    .first?.integer
                {
                    noteAffected(relationship.relationship.destination, old, of: record)
                }
            }
        }
        let table = SQLiteIdentifier.quoted(object.table.name)
        let before = try columns.isEmpty ? [] : connection.cells(table, key, columns)
        try logging(record, table, key, logged, body)
        for (column, value) in zip(columns, before) {
            values.append((record, (key, object.table.root), column, value))
        }
    }

    /// Links two objects, and notes the change.
    func loggingLink(
        _ record: Int64, _ writer: LinkWriter, _ owner: KeyIndex.Target, _ destination: KeyIndex.Target
    ) throws -> Bool {
        guard isLogging(record) else { return try writer.link(owner: owner, destination: destination) }
        let place = writer.place
        switch place.kind {
        case .toOne, .foreignKey:
            let columns = [place.kind == .toOne ? place.destination : place.owner, place.entity, place.order, "Z_OPT"]
            return try logging(
                record, place.table, place.kind == .toOne ? owner.primaryKey : destination.primaryKey,
                columns.compactMap { $0 }
            ) { try writer.link(owner: owner, destination: destination) }
        case .joinTable:
            let isNew = try writer.link(owner: owner, destination: destination)
            if isNew {
                for (first, second) in [(owner, destination)] + (place.isSymmetric ? [(destination, owner)] : []) {
                    note(
                        StoreChange(
                            kind: .linked, table: place.table, key: first.primaryKey,
                            column: "\(place.owner), \(place.destination)", old: .null,
                            new: .integer(second.primaryKey)), of: record)
                }
            }
            return isNew
        }
    }

    /// Updates the other side of a to-one relationship, counts the links that other objects lose, and notes the values
    /// from before.
    ///
    /// - Parameter isBefore: whether the relationship has not been written yet, so that the destination is only taken
    ///   from other objects.
    func loggingInverse(
        _ record: Int64, _ writer: InverseWriter, _ toOne: ToOneOwner, owner: KeyIndex.Target, destination: Int64,
        isBefore: Bool = false
    ) throws {
        func follow() throws {
            let followed =
                try isBefore
                ? writer.release(owner: owner, destination: destination)
                : writer.follow(owner: owner, destination: destination, record: record)
            try linkCounts.count(followed, of: toOne, leadingTo: destination)
        }
        // Positions in ordered relationships are assigned when all records are read.
        guard writer.isOneToOne, isLogging(record) else { return try follow() }
        let rows = try writer.affectedRows(owner: owner.primaryKey, destination: destination)
        let before = try rows.map { try connection.cells($0.table, $0.key, $0.columns) }
        try follow()
        for (row, old) in zip(rows, before) {
            let new = try connection.cells(row.table, row.key, row.columns)
            for (index, column) in row.columns.enumerated() where index < old.count && index < new.count {
                guard old[index] != new[index] else { continue }
                note(
                    StoreChange(
                        kind: .cell, table: row.table, key: row.key, column: column, old: old[index],
                        new: new[index]), of: record)
            }
        }
    }

    /// Notes that a record adds 1 to a count of the report.
    func noteCount(_ kind: RecordCount.Kind, _ slot: Int, of record: Int64) {
        guard isLogging(record) else { return }
        counts.append((record, RecordCount(slot: slot, kind: kind)))
    }

    /// Notes that an object may have too few or too many links because of a record.
    func noteAffected(
        _ slot: Int, _ primaryKey: Int64, entity: Int64? = nil, role: AffectedObject.Role = .affected, of record: Int64
    ) {
        guard unproven != nil else { return }
        let object = AffectedObject(
            root: layout.model.entities[slot].root, primaryKey: primaryKey,
            entity: entity ?? Int64(layout.entityNumbers[slot]), role: role)
        affected.append((record, object))
    }

    /// Stores which objects open records changed after all records were read.
    func keepAffected() throws {
        guard let unproven else { return }
        for (record, object) in affected where try unproven.records.contains(record: record) {
            try unproven.records.append(object, of: record)
        }
        affected.removeAll(keepingCapacity: true)
    }

    /// Stores what open records changed after all records were read.
    func keep() throws {
        guard let unproven else { return }
        try keepAffected()
        for (record, count) in counts where try unproven.records.contains(record: record) {
            try unproven.records.append(count, of: record)
        }
        for (record, change) in changes where try unproven.records.contains(record: record) {
            try unproven.records.append(change, of: record)
        }
        removeAll()
    }
}

extension Connection {
    /// Returns the values of columns in the row of an object; empty if there is no such row. All names are in quotes.
    func cells(_ table: String, _ key: Int64, _ columns: [String]) throws(SQLiteError) -> [SQLiteValue] {
        try rows(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE Z_PK = ?", [.integer(key)]
        ).first ?? []
    }
}
