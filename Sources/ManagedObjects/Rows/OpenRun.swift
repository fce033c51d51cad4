import SQLiteAccess

/// Consecutive objects of a fetch while their block is being filled.
struct OpenRun {
    private let table: Int32
    private let width: Int
    /// The columns that are read; nil for none.
    private let selection: TableSelection?
    private var keys: [Int64] = []
    private var entities: [Int32] = []
    private var rows: BlockRows

    init(table: Int32, width: Int, _ selection: TableSelection?) {
        self.table = table
        self.width = width
        self.selection = selection
        rows = BlockRows(selection?.columns ?? ReadColumns(width: width))
    }

    var count: Int { keys.count }

    /// Adds the object of a statement's row, which begins with the key.
    ///
    /// - Parameters:
    ///   - entity: the slot of its entity.
    ///   - slots: the slots of entities by their numbers.
    ///   - limit: the maximum number of objects in the run.
    mutating func append(_ statement: Statement, entity: Int, _ slots: EntitySlots, limit: Int) {
        // The number so far suggests that more will follow; a few objects take no more memory than they need.
        if keys.count == 32, limit > 32 {
            keys.reserveCapacity(limit)
            entities.reserveCapacity(limit)
            rows.reserveCapacity(limit)
        }
        keys.append(statement.integer(0))
        entities.append(Int32(truncatingIfNeeded: entity))
        guard let selection else { return }
        rows.copy(rows.append(entity: entity), statement, selection, slots)
    }

    /// Returns the run; the next objects begin another one.
    mutating func close() -> FetchedRows.Run {
        let isWhole = selection?.columns.isWhole ?? false
        let block = SnapshotBlock(table: table, width: width, awaiting: isWhole ? [] : keys, readsParts: true)
        if selection != nil { block.take(rows) }
        let run = FetchedRows.Run(table: table, keys: keys, entities: entities, block: block)
        self = OpenRun(table: table, width: width, selection)
        return run
    }
}
