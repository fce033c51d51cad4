import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Writes the rows of one entity: the columns, what they hold without further notice, and where they go.
final class EntityRowWriter {
    let entity: ResolvedEntity
    let entityNumber: Int
    let table: String
    let columns: [String]
    /// By column; nil for those that belong to no attribute.
    let attributes: [ResolvedAttribute?]
    /// By column; where objects come from a row, the row's columns count instead.
    let initialValues: [SQLiteValue]
    /// By column: whether the value is external in the row and inline here.
    let isInlined: [Bool]
    private let hasInlined: Bool
    /// Rows that have not been reported yet.
    @exclusivity(unchecked) var unreported: Int64 = 0
    /// By column; what those that belong to no attribute have is never asked for.
    let targets: [DestinationTarget]
    @exclusivity(unchecked) private var names: NameMemo
    private let required: [Int]
    private let keyColumn: Int
    /// Where rows go while the file is being built, and by column of that table which of the columns here it is; -1 for
    /// NULL.
    @exclusivity(unchecked) private var built: (table: TableBuilder, columns: [Int])?
    /// Appends rows that were read ahead to that table.
    @exclusivity(unchecked) private var appender: RecordAppender?
    @exclusivity(unchecked) private var statement: Statement?
    private var updates: [Int: Statement] = [:]

    /// - Parameters:
    ///   - fill: the columns that rows of a source bring; nil for objects that begin with the model's defaults.
    ///   - isStrict: whether an object without a required value is an error here; the result is validated anyway.
    ///   - build: the new file while it is built.
    init(_ slot: Int, of layout: StoreLayout, fill: TableFill?, isStrict: Bool, build: PolicyBuild?) throws {
        entity = layout.model.entities[slot]
        entityNumber = layout.entityNumbers[slot]
        guard let table = layout.table(ofEntity: slot) else { throw PolicyError("\(entity.name) has no table") }
        self.table = table.name
        let names = fill?.columns
        var columns: [String] = []
        var attributes: [ResolvedAttribute?] = []
        var initialValues: [SQLiteValue] = []
        var keyColumn = 0
        for column in table.columns {
            let name = SQLiteIdentifier.bare(column.name)
            var attribute: ResolvedAttribute?
            var value = SQLiteValue.null
            switch column.role {
            case .primaryKey: keyColumn = columns.count
            case .entityNumber: value = .integer(Int64(entityNumber))
            case .optimisticLock: value = .integer(1)
            case .attribute(let key):
                attribute = entity.attributes.first { $0.key == key }
                guard let attribute, !attribute.isDerived else { continue }
                value = StoredValue.defaultValue(of: attribute)
            default: continue
            }
            guard names?.contains(name) ?? true else { throw PolicyError("no source fills \(name)") }
            columns.append(name)
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

    /// From now on SQLite has the file open.
    func endBuilding() { (built, appender) = (nil, nil) }

    /// The column of an attribute and what it is.
    func column(_ name: String) throws(PolicyError) -> (index: Int, attribute: ResolvedAttribute) {
        let index = try position(of: name)
        guard let attribute = attributes[index] else {
            throw PolicyError("\(entity.name) has no stored attribute \"\(name)\"")
        }
        return (index, attribute)
    }

    /// The column of an attribute.
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

    /// - Parameter run: has the connection, and what reads external values.
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

    /// Objects of rows that were read ahead are made of the current row of a block.
    func read(_ rows: RecordBlock?) {
        guard let built, let rows else { return }
        appender = RecordAppender(
            to: built.table, columns: built.columns, key: keyColumn, required: required, from: rows)
    }

    /// Values of the row that are files of their own become the object's own values.
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

    /// Changes a row that is there.
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
