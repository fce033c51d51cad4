import ManagedObjectModels
import SQLiteAccess

/// The rows that a save writes, for the objects afterwards.
final class SavedRows {
    /// The permanent keys by the temporary ones.
    let keys: [ObjectKey: ObjectKey]
    private let context: ManagedObjectContext
    private var blocks: [Int32: SnapshotBlock] = [:]
    private var places: [ObjectIdentifier: (block: SnapshotBlock, row: Int)] = [:]
    private var orders: [ObjectIdentifier: [Int: [ObjectKey: Int64]]] = [:]

    init(_ context: ManagedObjectContext, _ keys: [ObjectKey: ObjectKey]) {
        self.context = context
        self.keys = keys
    }

    func key(_ key: ObjectKey) -> ObjectKey { key.isTemporary ? keys[key] ?? key : key }
    func key(of object: ManagedObject) -> ObjectKey { key(object.key) }

    /// Begins the row of an object, with the values of its current one.
    func begin(_ object: ManagedObject, version: Int64) -> (block: SnapshotBlock, row: Int) {
        let table = key(of: object).table
        let block: SnapshotBlock
        if let known = blocks[table], known.count < context.limits.rowsPerBlock {
            block = known
        } else {
            block = SnapshotBlock(table: table, width: object.shape.table.width)
            blocks[table] = block
        }
        let row = block.append(entity: object.shape.entity.slot)
        if let old = object.block, old.isLoaded, old.has(Int(object.row)) {
            for position in 1..<max(1, object.shape.table.width) {
                switch old.value(Int(object.row), position) {
                case .null: break
                case let value where value.isPlain: block.set(row, position, to: value)
                default: block.set(row, position, to: old.sqliteValue(Int(object.row), position))
                }
            }
        }
        block.set(row, 0, to: ArenaValue.integer(version))
        places[ObjectIdentifier(object)] = (block, row)
        return (block, row)
    }

    /// Notes the order keys of objects in an ordered relationship.
    func note(_ orders: [ObjectKey: Int64], of object: ManagedObject, _ slot: Int) {
        self.orders[ObjectIdentifier(object), default: [:]][slot] = orders
    }

    func orders(of object: ManagedObject, _ slot: Int) -> [ObjectKey: Int64] {
        orders[ObjectIdentifier(object)]?[slot] ?? [:]
    }

    /// Updates an object to its saved state.
    func settle(_ object: ManagedObject) {
        if let place = places[ObjectIdentifier(object)] {
            object.block = place.block
            object.row = Int32(place.row)
        }
        guard let state = object.state else { return }
        state.attributes.removeAll { slot, _ in object.shape.attributes[slot].position != nil }
        state.toOnes.removeAll { slot, _ in object.shape.toOnes[slot].relationship.isStored }
        var links = SlotMap<ToManyState>()
        for (slot, old) in state.toManys.entries {
            var settled = old
            if object.isInserted, settled.base == nil { settled.base = [] }
            settled.settle(orders(of: object, slot))
            if settled.base != nil { links[slot] = settled }
        }
        state.toManys = links
        if state.attributes.isEmpty, state.toOnes.isEmpty, state.toManys.isEmpty { object.state = nil }
    }
}

extension ArenaValue {
    /// Whether the value has no bytes in an arena.
    var isPlain: Bool {
        switch self {
        case .null, .integer, .real: true
        case .text, .blob: false
        }
    }
}
