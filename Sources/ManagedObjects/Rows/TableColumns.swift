import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The columns of a store's table that form a row in memory.
struct TableColumns {
    /// The table's name in quotes.
    let table: String
    /// The unquoted names, in the order of a row: the key, the entity number, the version, then values. A to-one
    /// relationship has two columns if the store contains the entity of its destination.
    let names: [String]
    /// The selection of complete rows.
    let selection: TableSelection
    private let width: Int
    /// The quoted column at each position in a row, without the entity numbers of keys.
    let columns: [Int: String]
    /// The columns of entity numbers, by the position of the key.
    let entityColumns: [Int: String]
    /// The columns of order keys, by the position of the key.
    let orderColumns: [Int: String]

    init(_ shape: TableShape, _ layout: StoreLayout) {
        table = "main." + SQLiteIdentifier.quoted(layout.table(ofEntity: shape.root)?.name ?? "")
        var names = ["Z_PK", "Z_ENT", "Z_OPT"]
        var targets: [(position: Int, isEntityNumber: Bool)] = []
        var columns: [Int: String] = [:]
        var entityColumns: [Int: String] = [:]
        var orderColumns: [Int: String] = [:]
        for column in shape.columns {
            guard let position = shape.positions[column] else { continue }
            let roles: (value: EntityColumn.Role, entity: EntityColumn.Role?, order: EntityColumn.Role?)
            switch column {
            case .attribute(let key): roles = (.attribute(key), nil, nil)
            case .toOne(let key): roles = (.toOne(key), .toOneEntity(key), .toOneOrder(key))
            case .owner(let key):
                roles = (.unidirectional(key), .unidirectionalEntity(key), .unidirectionalOrder(key))
            }
            guard let value = layout.column(roles.value) else { continue }
            names.append(value.name)
            targets.append((position, false))
            columns[position] = SQLiteIdentifier.quoted(value.name)
            if let entity = roles.entity.flatMap({ layout.column($0) }) {
                names.append(entity.name)
                targets.append((position + 1, true))
                entityColumns[position] = SQLiteIdentifier.quoted(entity.name)
            }
            if let order = roles.order.flatMap({ layout.column($0) }) {
                orderColumns[position] = SQLiteIdentifier.quoted(order.name)
            }
        }
        self.names = names
        width = shape.width
        selection = Self.selection(of: names, from: table, targets, ReadColumns(width: shape.width))
        self.columns = columns
        self.entityColumns = entityColumns
        self.orderColumns = orderColumns
    }

    /// Returns a selection of rows with only some positions.
    func selection(of positions: Set<Int>) -> TableSelection {
        let chosen = selection.targets.indices.filter { positions.contains(selection.targets[$0].position) }
        return Self.selection(
            of: names.prefix(3) + chosen.map { names[$0 + 3] }, from: table,
            chosen.map { (selection.targets[$0].position, selection.targets[$0].isEntityNumber) },
            ReadColumns(width: width, positions))
    }

    private static func selection(
        of names: [String], from table: String, _ targets: [(position: Int, isEntityNumber: Bool)],
        _ columns: ReadColumns
    ) -> TableSelection {
        let targets = targets.map { target in
            TableSelection.Target(
                position: target.position, isEntityNumber: target.isEntityNumber,
                place: columns.place(of: target.position) ?? 0)
        }
        let text = "SELECT " + names.map { SQLiteIdentifier.quoted($0) }.joined(separator: ", ") + " FROM \(table)"
        return TableSelection(names: names, text: text, targets: targets, columns: columns)
    }
}
