import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// Appends the objects of an entity to its table while the table is built.
final class EntityAppender {
    /// The source of a column's value.
    private enum Cell {
        case null
        case key
        case number(Int64)
        /// An index in the entity's values.
        case attribute(Int)
        /// The index of a relationship.
        case toOne(Int)
        /// The index of a relationship, and the probable entity number of its object.
        case toOneEntity(Int, Int64)
    }

    private let rows: EntityRows
    private let values: EntityValues
    private let cells: [Cell]
    private var row: [ArenaValue] = []

    init(_ values: EntityValues, layout: StoreLayout, columns: [EntityColumn], rows: EntityRows) {
        self.values = values
        self.rows = rows
        let form = values.form
        let relationships = Dictionary(
            form.relationships.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { first, _ in first }
        )
        let attributes = Dictionary(
            values.stored.enumerated().map { (form.attributes[$0.element].key, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        cells = columns.map { column in
            switch column.role {
            case .primaryKey: .key
            case .entityNumber: .number(Int64(layout.entityNumbers[form.slot]))
            // The version counter of a new row (docs/format/sqlite-store.md#entity-tables).
            case .optimisticLock: .number(1)
            case .attribute(let key): attributes[key].map { .attribute($0) } ?? .null
            case .toOne(let key): relationships[key].map { .toOne($0) } ?? .null
            case .toOneEntity(let key):
                relationships[key].map { place in
                    .toOneEntity(place, Self.likelyNumber(form.relationships[place].destination, layout))
                } ?? .null
            case .toOneOrder, .unidirectional, .unidirectionalEntity, .unidirectionalOrder: .null
            }
        }
    }

    /// Returns the entity number of a destination's objects if all of them have the same entity. Otherwise the number
    /// is corrected later, which does not change the size of the row.
    static func likelyNumber(_ destination: Int, _ layout: StoreLayout) -> Int64 {
        let slots = layout.model.entities[destination].subtree
        let concrete = slots.first { !layout.model.entities[$0].description.isAbstract } ?? destination
        return Int64(layout.entityNumbers[concrete])
    }

    func append(_ object: borrowing StoredObject) throws {
        if values.isPlain {
            return try append(object, object.values, object.bytes)
        }
        try values.take(object)
        try append(object, values.cells, values.usesArena ? values.arena : object.bytes)
    }

    private func append(
        _ object: borrowing StoredObject, _ values: [ArenaValue], _ bytes: [UInt8]
    ) throws(BuildError) {
        row.removeAll(keepingCapacity: true)
        for cell in cells {
            switch cell {
            case .null: row.append(.null)
            case .key: row.append(.integer(object.key))
            case .number(let number): row.append(.integer(number))
            case .attribute(let position): row.append(values[position])
            case .toOne(let place):
                if let key = object.links(at: place).first { row.append(.integer(key)) } else { row.append(.null) }
            case .toOneEntity(let place, let number):
                row.append(object.links(at: place).isEmpty ? .null : .integer(number))
            }
        }
        let filled = row
        try rows.append(object.key, filled.span, in: bytes.span)
    }
}
