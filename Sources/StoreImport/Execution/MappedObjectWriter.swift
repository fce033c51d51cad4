import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordConversion
import SQLiteAccess

/// The writer of one object mapping's objects: it finds, inserts and updates them.
final class MappedObjectWriter {
    let object: CompiledObject
    /// The positions of the attributes whose values may be external data.
    let externals: [Int]
    /// How records are compared with existing objects.
    private(set) var comparison: ObjectComparison
    /// The positions of the to-one relationships whose keys are in the row.
    let storedToOnes: [Int]
    let connection: Connection
    let table: String
    private let insertStatement: Statement
    private var updateStatements: [UpdateForm: Statement] = [:]
    private var findStatement: Statement?
    private var findRow = LazyStatement()
    /// The connection on which objects are looked up by key.
    private var searched: Connection
    /// Whether objects are looked up on another connection than the one that writes.
    var searchesElsewhere: Bool { searched !== connection }
    /// The statement of `findInOrder`.
    var walkStatement: Statement?
    var walk: OrderedWalk
    /// Whether a unique index guarantees that no two objects have the same key.
    var isKeyUnique = false
    /// The instances with the keys that are being looked up; kept so that its memory is reused.
    private var byKey = KeyIndex()
    let numbers: String
    /// The numbers of the entities whose objects are found.
    let entityNumbers: [Int64]
    /// The parameter of the first attribute in the INSERT statement.
    private let firstAttribute: Int32

    /// The form of an UPDATE statement.
    private struct UpdateForm: Hashable {
        let changes: Set<Int>
        /// Whether only values that are NULL are changed.
        let fills: Bool
    }

    private let limits: ImportLimits

    /// The columns that are compared with records: the mapped attributes, then the keys of to-one relationships.
    private var comparedColumns: [String] {
        object.attributes.map(\.column) + object.toOnes.compactMap(\.column)
    }

    init(
        _ object: CompiledObject, connection: Connection, layout: StoreLayout, limits: ImportLimits = ImportLimits()
    ) throws(SQLiteError) {
        self.limits = limits
        self.object = object
        externals = object.attributes.indices.filter { object.attributes[$0].isExternal }
        comparison = ObjectComparison(object)
        walk = OrderedWalk(object)
        storedToOnes = object.toOnes.indices.filter { object.toOnes[$0].column != nil }
        self.connection = connection
        searched = connection
        table = SQLiteIdentifier.quoted(object.table.name)
        entityNumbers = layout.model.entities[object.slot].subtree.map { Int64(layout.entityNumbers[$0]) }
        numbers = entityNumbers.map { String($0) }.joined(separator: ", ")
        // Values that differ from row to row come first; the others are bound once.
        var columns = ["Z_PK"]
        for relationship in object.toOnes {
            columns += [relationship.column, relationship.entityColumn].compactMap { $0 }
        }
        firstAttribute = Int32(columns.count + 1)
        columns += object.attributes.map(\.column)
        let firstConstant = Int32(columns.count + 1)
        columns += ["Z_ENT", "Z_OPT"] + object.defaults.map(\.column)
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        insertStatement = try connection.prepare(
            "INSERT INTO \(table) (\(columns.map { SQLiteIdentifier.quoted($0) }.joined(separator: ", "))) VALUES (\(marks))",
            persistent: true)
        try insertStatement.bindInteger(Int64(object.entityNumber), at: firstConstant)
        try insertStatement.bindInteger(1, at: firstConstant + 1)
        for (index, value) in object.defaults.enumerated() {
            try insertStatement.bind(value.value, at: firstConstant + 2 + Int32(index))
        }
    }

    /// Sets the external data with which values are compared.
    func compare(with external: ExternalData) { comparison.external = external }

    /// The columns of the key, in the order of the key.
    var keyColumns: [String] { object.keyColumns }

    func insert(
        _ instances: ObjectInstances, _ instance: Int, primaryKey: Int64, arena: [UInt8]
    ) throws(SQLiteError) {
        let statement = insertStatement
        try statement.bindInteger(primaryKey, at: 1)
        var index: Int32 = 2
        for position in object.toOnes.indices where object.toOnes[position].column != nil {
            let place = instance * instances.toOneCount + position
            let key = instances.toOneKeys[place]
            // A negative number means that the link waits for its destination.
            if key <= 0 { try statement.bindNull(at: index) } else { try statement.bindInteger(key, at: index) }
            index += 1
            if object.toOnes[position].entityColumn != nil {
                let entity = instances.toOneEntities[place]
                if key <= 0 { try statement.bindNull(at: index) } else { try statement.bindInteger(entity, at: index) }
                index += 1
            }
        }
        let cells = instances.attributeCount * instance..<instances.attributeCount * (instance + 1)
        try statement.run(instances.cells.span.extracting(cells), from: firstAttribute, in: arena.span)
    }

    /// Returns what a record changes in an existing object: the positions of attributes, then those of to-one
    /// relationships, which are counted after the attributes.
    ///
    /// - Parameters:
    ///   - instances: the instances of the batch.
    ///   - instance: the instance of the record.
    ///   - row: the row of the object.
    ///   - firstColumn: the first column of the row that is compared.
    ///   - fills: whether only values that are NULL are changed.
    ///   - arena: the bytes of the batch.
    func changes(
        _ instances: ObjectInstances, _ instance: Int, row: some FoundRow, firstColumn: Int32, fills: Bool,
        arena: [UInt8]
    ) -> Set<Int> {
        var changed: Set<Int> = []
        comparison.forEachChange(instances, instance, row: row, firstColumn: firstColumn, fills: fills, arena: arena) {
            changed.insert($0)
        }
        var column = firstColumn + Int32(object.attributes.count)
        for position in storedToOnes {
            defer { column += 1 }
            let slot = instance * instances.toOneCount + position
            guard instances.toOnePresent[slot], !fills || row.isNull(column) else { continue }
            let key = instances.toOneKeys[slot]
            // A value that is not an integer counts as 0.
            if row.integer(column) != key || key == 0 && !row.isNull(column) {
                changed.insert(object.attributes.count + position)
            }
        }
        return changed
    }

    /// Returns what a record changes in an existing object, whose row is looked up.
    func changes(
        _ instances: ObjectInstances, _ instance: Int, of primaryKey: Int64, arena: [UInt8]
    ) throws(SQLiteError) -> Set<Int> {
        let columns = comparedColumns.map { SQLiteIdentifier.quoted($0) }.joined(separator: ", ")
        let statement = try findRow.prepared(on: connection) { "SELECT \(columns) FROM \(table) WHERE Z_PK = ?1" }
        try statement.bindInteger(primaryKey, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return [] }
        return changes(
            instances, instance, row: statement, firstColumn: 0, fills: object.onMatch == .fill, arena: arena)
    }

    /// Changes an object.
    ///
    /// - Returns: whether anything changed. With `onMatch: fill`, nothing changes if the object already has all values.
    func update(
        _ instances: ObjectInstances, _ instance: Int, primaryKey: Int64, changes: Set<Int>, arena: [UInt8]
    ) throws(SQLiteError) -> Bool {
        let fills = object.onMatch == .fill && !instances.makers.contains(instance)
        let form = UpdateForm(changes: changes, fills: fills)
        let positions = changes.sorted()
        let statement: Statement
        if let known = updateStatements[form] {
            statement = known
        } else {
            var assignments: [String] = []
            for position in positions {
                if position < object.attributes.count {
                    assignments.append(SQLiteIdentifier.quoted(object.attributes[position].column))
                } else {
                    let relationship = object.toOnes[position - object.attributes.count]
                    assignments += [relationship.column, relationship.entityColumn].compactMap { $0 }.map {
                        SQLiteIdentifier.quoted($0)
                    }
                }
            }
            // If several records of a batch fill an object, it is not known which values are still NULL.
            let list = assignments.enumerated().map { place, column in
                fills ? "\(column) = coalesce(\(column), ?\(place + 2))" : "\(column) = ?\(place + 2)"
            }.joined(separator: ", ")
            let condition = assignments.enumerated().map { place, column in
                "\(column) IS NULL AND ?\(place + 2) IS NOT NULL"
            }.joined(separator: " OR ")
            statement = try connection.prepare(
                "UPDATE \(table) SET \(list), \(ObjectVersion.raised()) WHERE Z_PK = ?1"
                    + (fills ? " AND (\(condition))" : ""), persistent: true)
            // Records of one source change few different sets of columns. The limit keeps unusual ones from
            // accumulating.
            if updateStatements.count >= limits.preparedUpdates { updateStatements.removeAll() }
            updateStatements[form] = statement
        }
        try statement.bindInteger(primaryKey, at: 1)
        var index: Int32 = 2
        for position in positions {
            if position < object.attributes.count {
                try statement.bind(instances.cell(instance, position), in: arena, at: index)
                index += 1
                continue
            }
            let toOne = position - object.attributes.count
            let slot = instance * instances.toOneCount + toOne
            let key = instances.toOneKeys[slot]
            if key <= 0 { try statement.bindNull(at: index) } else { try statement.bindInteger(key, at: index) }
            index += 1
            if object.toOnes[toOne].entityColumn != nil {
                if key <= 0 {
                    try statement.bindNull(at: index)
                } else {
                    try statement.bindInteger(instances.toOneEntities[slot], at: index)
                }
                index += 1
            }
        }
        try statement.run()
        return connection.changes > 0
    }

    /// Walks the objects that have one of the keys, in the order of the keys: one sorted fetch with IN for several
    /// hundred keys (docs/format/importing.md#find-or-create).
    ///
    /// - Parameters:
    ///   - sorted: instances with different keys, sorted by key.
    ///   - instances: the instances of the batch.
    ///   - arena: the bytes of the batch.
    ///   - body: called with an instance and the row of its object: `Z_PK`, `Z_ENT`, the columns of the key, and then
    ///     the compared columns, with the index of the first compared column.
    func find(
        _ sorted: [Int], _ instances: ObjectInstances, arena: [UInt8],
        body: (_ instance: Int, _ row: Statement, _ firstCompared: Int32) throws -> Void
    ) throws {
        let keys = keyColumns
        let statement = try preparedFind(keys)
        let parts = keys.count
        var start = 0
        var key: [UInt8] = []
        while start < sorted.count {
            let end = min(start + limits.fetchedKeys, sorted.count)
            byKey.removeAll()
            for offset in 0..<limits.fetchedKeys {
                guard start + offset < end else {
                    for part in 0..<parts { try statement.bindNull(at: Int32(offset * parts + part + 1)) }
                    continue
                }
                let instance = sorted[start + offset]
                byKey.insert(instances.key(instance), KeyIndex.Target(primaryKey: Int64(instance), entity: 0))
                try bindKey(statement, instances, instance, first: Int32(offset * parts + 1), arena: arena)
            }
            while try statement.step() {
                key.removeAll(keepingCapacity: true)
                var isWhole = true
                for part in 0..<parts where !KeyBytes.append(Int32(2 + part), of: statement, to: &key) {
                    isWhole = false
                }
                guard isWhole, let hit = byKey.target(of: key) else { continue }
                try body(Int(hit.primaryKey), statement, Int32(2 + parts))
            }
            statement.reset()
            start = end
        }
    }

    /// Sets the connection with another view of the store on which objects are looked up by key; nil for the current
    /// store.
    func search(in connection: Connection?) {
        findStatement = nil
        searched = connection ?? self.connection
    }

    /// The columns that a fetch selects: those of the object, of its key, and those that are compared.
    var foundColumns: String { foundColumnNames.joined(separator: ", ") }

    var foundColumnNames: [String] { plainColumnNames.map { SQLiteIdentifier.quoted($0) } }

    /// The names of these columns without quotes.
    var plainColumnNames: [String] { ["Z_PK", "Z_ENT"] + keyColumns + comparedColumns }

    private func preparedFind(_ keys: [String]) throws(SQLiteError) -> Statement {
        if let findStatement { return findStatement }
        let quoted = keys.map { SQLiteIdentifier.quoted($0) }
        let condition = KeyCondition.text(quoted, keys: limits.fetchedKeys)
        let statement = try searched.prepare(
            "SELECT \(foundColumns) FROM \(table) WHERE \(condition) AND Z_ENT IN (\(numbers)) "
                + "ORDER BY \(quoted.joined(separator: ", ")), Z_PK", persistent: true)
        findStatement = statement
        return statement
    }

    private func bindKey(
        _ statement: Statement, _ instances: ObjectInstances, _ instance: Int, first: Int32, arena: [UInt8]
    ) throws(SQLiteError) {
        var index = first
        for attribute in object.keyAttributes {
            try statement.bind(instances.cell(instance, attribute), in: arena, at: index)
            index += 1
        }
        for toOne in object.keyRelationships {
            try statement.bindInteger(instances.toOneKeys[instance * instances.toOneCount + toOne], at: index)
            index += 1
        }
    }
}
