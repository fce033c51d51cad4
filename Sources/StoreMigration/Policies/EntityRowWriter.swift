import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Writes the rows of one entity. It knows their columns and initial values, and the table to which they are added.
final class EntityRowWriter {
    let entity: ResolvedEntity
    let entityNumber: Int
    let table: String
    let columns: [String]
    /// The attribute of each column; nil for a column without an attribute.
    let attributes: [ResolvedAttribute?]
    /// The initial value of each column. If an object is created from a source row, the row's value is used instead.
    let initialValues: [SQLiteValue]
    /// For each column, whether the value is external in the source row and becomes inline.
    let isInlined: [Bool]
    private let hasInlined: Bool
    /// The number of rows that have not been reported yet.
    @exclusivity(unchecked) var unreported: Int64 = 0
    /// The target of each column; those of columns without an attribute are never used.
    let targets: [DestinationTarget]
    @exclusivity(unchecked) private var names: NameMemo
    private let required: [Int]
    private let keyColumn: Int
    /// The table to which rows are appended while the file is being built, and for each column of the table the index
    /// of the column here; -1 for NULL.
    @exclusivity(unchecked) private var built: (table: TableBuilder, columns: [Int])?
    /// The appender of rows that were read ahead to this table; nil if no rows were read ahead.
    @exclusivity(unchecked) private var appender: RecordAppender?
    @exclusivity(unchecked) private var statement: Statement?
    private var updates: [Int: Statement] = [:]

    /// - Parameters:
    ///   - fill: the columns that source rows provide; nil for objects that begin with the model's defaults.
    ///   - isStrict: whether an object without a required value is an error here; the result is validated in any case.
    ///   - build: the new file while it is being built; nil otherwise.
    init(_ slot: Int, of layout: StoreLayout, fill: TableFill?, isStrict: Bool, build: PolicyBuild?) throws {
        entity = layout.model.entities[slot]
        entityNumber = layout.entityNumbers[slot]
        guard let table = layout.table(ofEntity: slot) else { throw PolicyError("\(entity.name) has no table") }
        self.table = table.name
        // A row of the source has the values in the order of the filled columns.
        let columns = fill?.columns ?? Self.ownColumns(of: table, entity)
        let known = Dictionary(
            table.columns.map { (SQLiteIdentifier.bare($0.name), $0.role) }, uniquingKeysWith: { first, _ in first })
        for name in Self.ownColumns(of: table, entity) where !columns.contains(name) {
            throw PolicyError("no source fills \(name)")
        }
        var attributes: [ResolvedAttribute?] = []
        var initialValues: [SQLiteValue] = []
        var keyColumn = 0
        for (index, name) in columns.enumerated() {
            var attribute: ResolvedAttribute?
            var value = SQLiteValue.null
            switch known[name] {
            case .primaryKey: keyColumn = index
            case .entityNumber: value = .integer(Int64(entityNumber))
            case .optimisticLock: value = .integer(1)
            case .attribute(let key):
                attribute = entity.attributes.first { $0.key == key && !$0.isDerived }
                value = attribute.map { StoredValue.defaultValue(of: $0) } ?? .null
            default: break
            }
            attributes.append(attribute)
            initialValues.append(value)
        }
        self.columns = columns
        self.attributes = attributes
        self.initialValues = initialValues
        self.keyColumn = keyColumn
        let inlined = Set(fill?.inlinedColumns ?? [])
        isInlined = columns.indices.map { inlined.contains($0) }
        hasInlined = !inlined.isEmpty
        targets = attributes.map { DestinationTarget($0) }
        // Names of attributes are never empty.
        self.names = NameMemo(attributes.map { $0?.name ?? "" })
        required = !isStrict ? [] : columns.indices.filter { attributes[$0].map { !$0.isOptional } ?? false }
        guard let built = try build?.table(table.name) else { return }
        let places = Dictionary(
            columns.enumerated().map { (SQLiteIdentifier.unquoted($1).uppercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        self.built = (built, built.definition.columns.map { places[$0.name.uppercased()] ?? -1 })
    }

    /// Returns the columns of an entity's objects in a table that no derivation or relationship sets.
    private static func ownColumns(of table: EntityTable, _ entity: ResolvedEntity) -> [String] {
        table.columns.filter { column in
            switch column.role {
            case .primaryKey, .entityNumber, .optimisticLock: true
            case .attribute(let key): entity.attributes.contains { $0.key == key && !$0.isDerived }
            default: false
            }
        }.map { SQLiteIdentifier.bare($0.name) }
    }

    /// Stops appending rows, because SQLite has opened the file, and forgets the statements of another connection.
    func leaveFile() { (built, appender, statement, updates) = (nil, nil, nil, [:]) }

    /// Returns the index of an attribute's column, and the attribute.
    func column(_ name: String) throws(PolicyError) -> (index: Int, attribute: ResolvedAttribute) {
        let index = try position(of: name)
        guard let attribute = attributes[index] else {
            throw PolicyError("\(entity.name) has no stored attribute \"\(name)\"")
        }
        return (index, attribute)
    }

    /// Returns the index of an attribute's column.
    @_optimize(speed)
    func position(of name: String) throws(PolicyError) -> Int {
        guard !name.isEmpty, let index = names.position(of: name) else {
            let isDerived = entity.attribute(named: name)?.isDerived ?? false
            throw PolicyError(
                isDerived
                    ? "\(entity.name).\(name) is derived: it follows from other values"
                    : "\(entity.name) has no stored attribute \"\(name)\"")
        }
        return index
    }

    /// Inserts the row of an object.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - run: the run whose connection is used, and which reads external values.
    @_optimize(speed)
    func insert(_ object: DestinationObject, of run: PolicyRun) throws {
        if hasInlined, let row = object.row { try inline(row, into: object, run) }
        if object.isAhead, let appender {
            if let missing = try appender.append(object.key, object.own) { throw self.missing(missing) }
        } else if let built {
            try checkRequired(object)
            try append(object, to: built.table, built.columns)
        } else {
            try checkRequired(object)
            try insert(object, by: statement ?? prepare(on: run.connection))
        }
        unreported += 1
    }

    /// Lets rows be appended from the current rows of a block that was read ahead.
    func read(_ rows: RecordBlock?) {
        guard let built, let rows else { return }
        appender = RecordAppender(
            to: built.table, columns: built.columns, key: keyColumn, required: required, from: rows)
    }

    /// Reads the values of the row that are in files of their own, and sets them as the object's own values.
    private func inline(_ row: PolicyRow, into object: DestinationObject, _ run: PolicyRun) throws {
        for index in columns.indices
        where isInlined[index] && !object.own.isSet(index) && !row.isNull(Int32(index)) {
            let value = try run.external.value(row, Int32(index), name: columns[index], key: object.key)
            object.own.set(.blob(value), at: index)
        }
    }

    private func checkRequired(_ object: DestinationObject) throws(PolicyError) {
        if let index = required.first(where: { isNull(object, $0) }) { throw missing(index) }
    }

    private func missing(_ column: Int) -> PolicyError {
        PolicyError(
            "Validation error missing attribute values on mandatory destination attribute: \(entity.name)."
                + (attributes[column]?.name ?? ""))
    }

    private func prepare(on connection: Connection) throws -> Statement {
        let new = try connection.prepare(
            "INSERT INTO main.\(SQLiteIdentifier.bare(table)) (\(columns.joined(separator: ", "))) VALUES ("
                + columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ") + ")", persistent: true)
        statement = new
        return new
    }

    private func append(_ object: DestinationObject, to table: TableBuilder, _ columns: [Int]) throws {
        table.beginRow()
        for index in columns {
            if index < 0 {
                table.appendNull()
            } else if index == keyColumn {
                table.append(object.key)
            } else if let value = object.own.value(index) {
                try table.append(value)
            } else if let row = object.row {
                try row.append(Int32(index), to: table)
            } else {
                try table.append(initialValues[index])
            }
        }
        try table.endRow(object.key)
    }

    private func insert(_ object: DestinationObject, by statement: Statement) throws {
        for index in columns.indices {
            let parameter = Int32(index + 1)
            if index == keyColumn {
                try statement.bindInteger(object.key, at: parameter)
            } else if let value = object.own.value(index) {
                try statement.bind(value, at: parameter)
            } else if let row = object.row {
                try row.bind(Int32(index), to: statement, at: parameter)
            } else {
                try statement.bind(initialValues[index], at: parameter)
            }
        }
        try statement.run()
    }

    private func isNull(_ object: DestinationObject, _ index: Int) -> Bool {
        if let value = object.own.value(index) { return value.isNull }
        return object.row?.isNull(Int32(index)) ?? initialValues[index].isNull
    }

    /// Changes a row that has been written.
    func update(_ column: Int, of key: Int64, to value: SQLiteValue, on connection: Connection) throws {
        if value.isNull, required.contains(column) {
            throw PolicyError("\(entity.name).\(attributes[column]?.name ?? "") is required, and cannot become NULL")
        }
        let statement =
            try updates[column]
            ?? connection.prepare(
                "UPDATE main.\(SQLiteIdentifier.bare(table)) SET \(columns[column]) = ?1 WHERE Z_PK = ?2",
                persistent: true)
        updates[column] = statement
        try statement.bind(value, at: 1)
        try statement.bindInteger(key, at: 2)
        try statement.run()
    }
}
