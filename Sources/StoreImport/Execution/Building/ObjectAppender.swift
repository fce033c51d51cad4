import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Appends the new objects of one object mapping to a table that is being built.
final class ObjectAppender {
    /// What a column of the table gets.
    private enum Cell {
        case null
        case number(Int64)
        case constant(SQLiteValue)
        /// Positions of an attribute and of to-ones.
        case attribute(Int)
        case toOneKey(Int)
        case toOneEntity(Int)
    }

    private let table: TableBuilder
    private let cells: [Cell]
    private let attributeCount: Int
    private let toOneCount: Int

    init(_ object: CompiledObject, table: TableBuilder) {
        self.table = table
        attributeCount = object.attributes.count
        toOneCount = object.toOnes.count
        var byColumn: [String: Cell] = [
            "Z_ENT": .number(Int64(object.entityNumber)), "Z_OPT": .number(1),
        ]
        for column in object.defaults { byColumn[column.column] = .constant(Self.stored(column.value)) }
        for (position, attribute) in object.attributes.enumerated() {
            byColumn[attribute.column] = .attribute(position)
        }
        for (position, relationship) in object.toOnes.enumerated() {
            guard let column = relationship.column else { continue }
            byColumn[column] = .toOneKey(position)
            if let column = relationship.entityColumn { byColumn[column] = .toOneEntity(position) }
        }
        // The primary key is the row id.
        cells = table.definition.columns.map { byColumn[$0.name] ?? .null }
    }

    private static func stored(_ value: ConvertedDefault) -> SQLiteValue {
        switch value {
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }

    func append(
        _ instances: ObjectInstances, _ instance: Int, primaryKey: Int64, arena: Span<UInt8>
    ) throws(BuildError) {
        table.beginRow()
        for cell in cells {
            switch cell {
            case .null: table.appendNull()
            case .number(let number): table.append(number)
            case .constant(let value): try table.append(value)
            case .attribute(let position):
                switch instances.cells[instance * attributeCount + position] {
                case .null: table.appendNull()
                case .integer(let number): table.append(number)
                case .real(let number): try table.append(number)
                case .text(let range): try table.append(text: arena.extracting(range.range))
                case .blob(let range): table.append(blob: arena.extracting(range.range))
                }
            case .toOneKey(let position):
                let key = instances.toOneKeys[instance * toOneCount + position]
                // Negative: it waits for its destination.
                if key > 0 { table.append(key) } else { table.appendNull() }
            case .toOneEntity(let position):
                let place = instance * toOneCount + position
                if instances.toOneKeys[place] > 0 {
                    table.append(instances.toOneEntities[place])
                } else {
                    table.appendNull()
                }
            }
        }
        try table.endRow(primaryKey)
    }
}
