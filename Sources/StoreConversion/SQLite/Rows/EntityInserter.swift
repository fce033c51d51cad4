import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Inserts the objects of an entity into its table.
final class EntityInserter {
    private let values: EntityValues
    private let statement: Statement

    /// The indexes of the to-one relationships that have a column.
    private let toOnes: [Int]

    init(
        _ values: EntityValues, layout: StoreLayout, connection: Connection, into table: EntityTable
    ) throws(SQLiteError) {
        self.values = values
        let form = values.form
        toOnes = form.relationships.indices.filter {
            form.relationships[$0].storage == .toOne && layout.column(.toOne(form.relationships[$0].key)) != nil
        }
        var columns = ["Z_PK"]
        columns += toOnes.compactMap { layout.column(.toOne(form.relationships[$0].key))?.name }
        columns += values.stored.compactMap { layout.column(.attribute(form.attributes[$0].key))?.name }
        let constants = Int32(columns.count + 1)
        columns += ["Z_ENT", "Z_OPT"]
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        statement = try connection.prepare(
            "INSERT INTO \(SQLiteIdentifier.quoted(table.name)) (\(columns.map { SQLiteIdentifier.quoted($0) }.joined(separator: ", "))) "
                + "VALUES (\(marks))",
            persistent: true)
        try statement.bindInteger(Int64(layout.entityNumbers[form.slot]), at: constants)
        // The version counter of a new row (docs/format/sqlite-store.md#entity-tables).
        try statement.bindInteger(1, at: constants + 1)
    }

    func insert(_ object: borrowing StoredObject) throws {
        try statement.bindInteger(object.key, at: 1)
        var index: Int32 = 2
        for place in toOnes {
            if let key = object.links(at: place).first {
                try statement.bindInteger(key, at: index)
            } else {
                try statement.bindNull(at: index)
            }
            index += 1
        }
        if values.isPlain { return try run(object.values, object.bytes, from: index) }
        try values.take(object)
        try run(values.cells, values.usesArena ? values.arena : object.bytes, from: index)
    }

    private func run(_ values: [ArenaValue], _ bytes: [UInt8], from first: Int32) throws(SQLiteError) {
        try statement.run(values.span, from: first, in: bytes.span)
    }
}
