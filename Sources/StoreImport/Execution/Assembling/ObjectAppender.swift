import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// A writer that appends the new objects of one object mapping to a table that is being built.
final class ObjectAppender {
    /// The content of a column of the table.
    private enum Cell {
        case null
        case number(Int64)
        case constant(SQLiteValue)
        /// The value of the attribute at a position. The next cases have positions of to-one relationships.
        case attribute(Int)
        case toOneKey(Int)
        case toOneEntity(Int)
    }

    private let table: TableBuilder
    private let cells: [Cell]
    /// A row with the values that are the same in all rows, and NULL in the other columns.
    private let constants: [ArenaValue]
    /// Whether some of these values are texts or data, which are not in the arenas of batches.
    private let hasConstantBytes: Bool
    /// The columns of attributes, of to-one keys and of their entities, each with the position of its attribute or
    /// relationship.
    private let attributes: [(column: Int, position: Int)]
    private let toOneKeys: [(column: Int, position: Int)]
    private let toOneEntities: [(column: Int, position: Int)]
    /// The columns of to-one relationships, in order.
    private let open: [(column: Int, position: Int, isEntity: Bool)]
    /// The encoder of rows while records are converted; nil if their values are known only when they are written.
    let packer: RowPacker?
    private let attributeCount: Int
    private let toOneCount: Int

    init(_ object: CompiledObject, table: TableBuilder) {
        self.table = table
        attributeCount = object.attributes.count
        toOneCount = object.toOnes.count
        var byColumn: [String: Cell] = [
            "Z_ENT": .number(Int64(object.entityNumber)), "Z_OPT": .number(1),
        ]
        for column in object.defaults { byColumn[column.column] = .constant(column.value.sqliteValue) }
        for (position, attribute) in object.attributes.enumerated() {
            byColumn[attribute.column] = .attribute(position)
        }
        for (position, relationship) in object.toOnes.enumerated() {
            guard let column = relationship.column else { continue }
            byColumn[column] = .toOneKey(position)
            if let column = relationship.entityColumn { byColumn[column] = .toOneEntity(position) }
        }
        // The primary key is the row id.
        let cells = table.definition.columns.map { byColumn[$0.name] ?? .null }
        self.cells = cells
        let values = cells.map(Self.constantValue)
        constants = values.map { $0 ?? .null }
        hasConstantBytes = values.contains(nil)
        func columns(_ position: (Cell) -> Int?) -> [(column: Int, position: Int)] {
            cells.enumerated().compactMap { column, cell in position(cell).map { (column, $0) } }
        }
        attributes = columns { if case .attribute(let position) = $0 { position } else { nil } }
        toOneKeys = columns { if case .toOneKey(let position) = $0 { position } else { nil } }
        toOneEntities = columns { if case .toOneEntity(let position) = $0 { position } else { nil } }
        let keys = toOneKeys.map { (column: $0.column, position: $0.position, isEntity: false) }
        open = (keys + toOneEntities.map { (column: $0.column, position: $0.position, isEntity: true) })
            .sorted { $0.column < $1.column }
        let areKnown = !hasConstantBytes && !object.hasFiles && !object.attributes.contains(where: \.isExternal)
        packer =
            areKnown
            ? RowPacker(
                definition: table.definition, constants: constants, attributes: attributes, open: open.map(\.column))
            : nil
    }

    /// Returns the value that a column has in all rows; NULL if they differ, nil for texts and data.
    private static func constantValue(_ cell: Cell) -> ArenaValue? {
        switch cell {
        case .number(let number), .constant(.integer(let number)): .integer(number)
        case .constant(.real(let number)): .real(number)
        case .constant(.text), .constant(.blob): nil
        default: .null
        }
    }

    /// Appends the objects of a range whose records are not rejected and that have no row yet, and sets their primary
    /// keys, entities and states.
    ///
    /// - Returns: the primary key after that of the last object.
    @_optimize(speed)
    func appendAll(
        _ instances: inout ObjectInstances, in range: Range<Int>, where isRejected: [Bool], from firstKey: Int64,
        entity: Int64, arena: Span<UInt8>
    ) throws(BuildError) -> Int64 {
        var primaryKey = firstKey
        var row = constants
        let packed = instances.prepared.rows.flatMap { $0.count == instances.count ? $0 : nil }
        var chosen: [Int] = []
        var numbers: [Int64] = []
        if packed != nil {
            chosen.reserveCapacity(range.count)
            numbers.reserveCapacity(range.count * open.count)
        }
        for instance in range {
            if isRejected[Int(instances.records[instance])] {
                instances.states[instance] = .rejected
                continue
            }
            if instances.primaryKeys[instance] != 0 { continue }
            if packed != nil {
                chosen.append(instance)
                appendNumbers(of: instance, instances, to: &numbers)
            } else if hasConstantBytes {
                try append(instances, instance, primaryKey: primaryKey, arena: arena)
            } else {
                fill(&row, instance, instances)
                try table.append(primaryKey, row.span, in: arena)
            }
            instances.primaryKeys[instance] = primaryKey
            instances.entities[instance] = entity
            instances.states[instance] = .inserted
            primaryKey += 1
        }
        if let packed { try table.append(firstKey, packed, chosen, numbers: numbers) }
        return primaryKey
    }

    /// Appends the keys and entities of an object's destinations to a list of numbers; 0 if there is no destination, or
    /// if it is not known yet.
    @inline(__always)
    private func appendNumbers(
        of instance: Int, _ instances: borrowing ObjectInstances, to numbers: inout [Int64]
    ) {
        for index in open.indices {
            let place = instance * toOneCount + open[index].position
            let key = max(0, instances.toOneKeys[place])
            numbers.append(key > 0 && open[index].isEntity ? instances.toOneEntities[place] : key)
        }
    }

    @inline(__always)
    private func fill(_ row: inout [ArenaValue], _ instance: Int, _ instances: borrowing ObjectInstances) {
        var row = row.mutableSpan
        let firstCell = instance * attributeCount
        let firstToOne = instance * toOneCount
        let cells = instances.cells.span
        for index in attributes.indices {
            row[attributes[index].column] = cells[firstCell + attributes[index].position]
        }
        for index in toOneKeys.indices {
            // A negative key means that the destination is not known yet.
            let key = instances.toOneKeys[firstToOne + toOneKeys[index].position]
            row[toOneKeys[index].column] = key > 0 ? .integer(key) : .null
        }
        for index in toOneEntities.indices {
            let place = firstToOne + toOneEntities[index].position
            row[toOneEntities[index].column] =
                instances.toOneKeys[place] > 0 ? .integer(instances.toOneEntities[place]) : .null
        }
    }

    /// Appends one object.
    private func append(
        _ instances: borrowing ObjectInstances, _ instance: Int, primaryKey: Int64, arena: Span<UInt8>
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
                // A negative key means that the destination is not known yet.
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
