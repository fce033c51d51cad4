import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// What the records of a batch changed, as far as it may have to be taken back later.
///
/// Without records that may still be rejected nothing is noted.
final class ChangeLog {
    private(set) var changes: [(record: Int64, change: StoreChange)] = []
    /// What columns of objects had before the records changed them.
    private(set) var values: [(record: Int64, object: (key: Int64, root: Int), column: String, value: SQLiteValue)] = []
    /// Objects whose relationships the records changed, beside those that they made.
    private(set) var affected: [(record: Int64, object: AffectedObject)] = []
    /// What the records add to the counts of links.
    private(set) var counts: [(record: Int64, count: RecordCount)] = []
    /// Records that are known to be open.
    var open = Set<Int64>()

    private let connection: Connection
    private let layout: StoreLayout
    private let unproven: UnprovenRecords?
    private let linkCounts: LinkCounts
    /// By file, whether all that its records change is noted.
    private let isWhole: [Bool]

    /// - Parameter session: whose mappings are prepared.
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

    /// Whether changes of a record are noted.
    func isLogging(_ record: Int64) -> Bool {
        unproven != nil && (open.contains(record) || isWhole[RecordNumber.file(of: record)])
    }

    /// Notes a change of a record.
    func note(_ change: StoreChange, of record: Int64) {
        changes.append((record, change))
    }

    /// Changes a row, and notes what was in it before.
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

    /// Changes an object by its mapping, and notes what was there before.
    func loggingUpdate(
        _ record: Int64, _ object: CompiledObject, _ key: Int64, _ changes: Set<Int>, files: Set<Int>,
        _ body: () throws -> Void
    ) throws {
        guard isLogging(record) else { return try body() }
        // What other columns have in the end is made again of what records say; of files nothing is kept.
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

    /// Links two objects, and notes it.
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

    /// Follows a to-one on its other side, counts the links that others lose by that, and notes what was there before.
    func loggingInverse(
        _ record: Int64, _ writer: InverseWriter, _ toOne: ToOneOwner, owner: KeyIndex.Target, destination: Int64
    ) throws {
        func follow() throws {
            let followed = try writer.follow(owner: owner, destination: destination, record: record)
            try linkCounts.count(followed, of: toOne, leadingTo: destination)
        }
        // Places among others are given when all records are read.
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

    /// Notes what a record adds to a count of the report.
    func noteCount(_ kind: RecordCount.Kind, _ slot: Int, of record: Int64) {
        guard isLogging(record) else { return }
        counts.append((record, RecordCount(slot: slot, kind: kind)))
    }

    /// Notes that the relationships of an object may have too few or too many others because of a record.
    func noteAffected(
        _ slot: Int, _ primaryKey: Int64, entity: Int64? = nil, role: AffectedObject.Role = .affected, of record: Int64
    ) {
        guard unproven != nil else { return }
        let object = AffectedObject(
            root: layout.model.entities[slot].root, primaryKey: primaryKey,
            entity: entity ?? Int64(layout.entityNumbers[slot]), role: role)
        affected.append((record, object))
    }

    /// Keeps which objects open records changed, when all records are read.
    func keepAffected() throws {
        guard let unproven else { return }
        for (record, object) in affected where try unproven.records.contains(record: record) {
            try unproven.records.append(object, of: record)
        }
        affected.removeAll(keepingCapacity: true)
    }

    /// Keeps what open records changed, when all records are read.
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
    /// The values of columns in the row of an object; empty if it is not there.
    ///
    /// - Parameters: names in quotes.
    func cells(_ table: String, _ key: Int64, _ columns: [String]) throws(SQLiteError) -> [SQLiteValue] {
        try rows(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE Z_PK = ?", [.integer(key)]
        ).first ?? []
    }
}
