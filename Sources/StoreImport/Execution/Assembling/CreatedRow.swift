import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// The row of an object with nothing but its key and the model's defaults.
struct CreatedRow {
    private enum Cell {
        case constant(SQLiteValue)
        case part(Int)
    }

    private let table: AssembledTable
    private let cells: [Cell]
    /// Which of the entities of the keys it is of.
    let entity: Int
    /// The entity number, where it matters which rows are made by name: the table may have objects of other entities, or
    /// rows that say nothing of a link may end it.
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
    /// - Returns: its arrival.
    func append(_ key: ReferenceKey) throws(BuildError) -> Int64 {
        let arrival = table.next
        try fill(key)
        try table.builder.endRow(arrival)
        table.take(upTo: arrival + 1)
        note(arrival)
        return arrival
    }

    /// Names the object, which is made where no other has the key.
    ///
    /// - Returns: its arrival, if it is made.
    func reserve(_ key: ReferenceKey, _ digest: KeyDigest, in keys: KeySpace) throws(BuildError) -> Int64 {
        try fill(key)
        let arrival = try table.builder.withEncodedRow { (row) throws(BuildError) in
            try keys.reserve(digest, row: row, entity: entity)
        }
        note(arrival)
        return arrival
    }

    /// Keeps the encoded row of the object, and returns its place.
    func keep(_ key: ReferenceKey) throws(BuildError) -> Int64 {
        try fill(key)
        return try table.builder.withEncodedRow { (row) throws(BuildError) in try table.keep(row) }
    }

    private func note(_ arrival: Int64) {
        if let entityNumber { table.note(named: arrival, entity: entityNumber) }
    }
}

extension ConvertedDefault {
    /// The value as it is stored.
    var sqliteValue: SQLiteValue {
        switch self {
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }
}
