import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// A row of an object with only its key and the model's defaults.
struct CreatedRow {
    private enum Cell {
        case constant(SQLiteValue)
        case part(Int)
    }

    private let table: AssembledTable
    private let cells: [Cell]
    /// The entity of the object, among those of the keys.
    let entity: Int
    /// The entity number, if it must be known which objects are created because a reference names them: the table may
    /// have objects of other entities, or a created row could be mistaken for one that removes links. Otherwise nil.
    let entityNumber: Int64?
    /// The values that must be unique.
    let unique: [UniqueColumns.Value]

    init(
        _ resolver: ReferenceResolver, table: AssembledTable, entity: Int, isNoted: Bool,
        unique: [UniqueColumns.Value]
    ) {
        self.table = table
        self.unique = unique
        self.entity = entity
        entityNumber = isNoted ? resolver.entityNumber : nil
        var byColumn: [String: Cell] = [
            "Z_ENT": .constant(.integer(resolver.entityNumber)), "Z_OPT": .constant(.integer(1)),
        ]
        for column in resolver.defaults { byColumn[column.column] = .constant(column.value.sqliteValue) }
        for (part, column) in resolver.key.ownColumns.enumerated() { byColumn[column] = .part(part) }
        cells = table.builder.definition.columns.map { byColumn[$0.name] ?? .constant(.null) }
    }

    private func fill(_ key: ReferenceKey) throws(BuildError) {
        table.builder.beginRow()
        for cell in cells {
            switch cell {
            case .constant(let value): try table.builder.append(value)
            case .part(let part): try table.builder.append(key.values[part])
            }
        }
    }

    /// Appends the object.
    ///
    /// - Returns: the arrival of the object.
    func append(_ key: ReferenceKey) throws(BuildError) -> Int64 {
        let arrival = table.next
        try fill(key)
        try table.builder.endRow(arrival)
        table.take(upTo: arrival + 1)
        note(arrival)
        return arrival
    }

    /// Reserves the object, which is created if no other object has the key.
    ///
    /// - Returns: the arrival of the object, if it is created.
    func reserve(_ key: ReferenceKey, _ digest: KeyDigest, in keys: KeySpace) throws(BuildError) -> Int64 {
        try fill(key)
        let arrival = try table.builder.withEncodedRow { (row) throws(BuildError) in
            try keys.reserve(digest, row: row, entity: entity)
        }
        note(arrival)
        return arrival
    }

    /// Stores the encoded row of the object, and returns its offset.
    func keep(_ key: ReferenceKey) throws(BuildError) -> Int64 {
        try fill(key)
        return try table.builder.withEncodedRow { (row) throws(BuildError) in try table.keep(row) }
    }

    private func note(_ arrival: Int64) {
        if let entityNumber { table.note(named: arrival, entity: entityNumber) }
    }
}

extension ConvertedDefault {
    /// The value as SQLite stores it.
    var sqliteValue: SQLiteValue {
        switch self {
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }
}
