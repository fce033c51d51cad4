import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Compiles fetch requests over a store to SQL. Making a plan does not read the store's rows.
public struct FetchCompiler {
    let layout: StoreLayout
    let request: FetchRequest
    let entity: ResolvedEntity
    let storeUUID: String
    let evaluation: FetchEvaluation
    let now: Double
    /// The statement's rows to which names in expressions refer.
    let rows: FetchRows
    var parameters: [SQLiteValue] = []
    var functions: [RowFunction] = []
    var texts: [SQLTextFunction] = []
    var swiftParts: [FetchPlan.SwiftPart] = []
    var keyParameter: Int?

    /// The alias of the entity's table in the statement.
    static var alias: String { "t" }

    var model: ResolvedModel { layout.model }
    /// Finds the objects whose URIs are in expressions.
    var objectIDs: StoreObjectIDs {
        StoreObjectIDs(model: model, storeUUID: storeUUID, siblingUUIDs: request.siblingStoreUUIDs)
    }
    /// The tables as the expression compiler sees them.
    var schema: StoreSQLSchema {
        StoreSQLSchema(layout: layout, storeUUID: storeUUID, siblingUUIDs: request.siblingStoreUUIDs)
    }
    /// The number of the next parameter.
    var firstParameter: Int { parameters.count + 1 }
    var table: String { SQLiteIdentifier.quoted(layout.table(ofEntity: entity.slot)?.name ?? "") }

    /// Returns the statements of a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - layout: the tables and columns of the store, and its model.
    ///   - storeUUID: the UUID of the store, for the URIs of its objects.
    ///   - evaluation: whether SQL evaluates what it can, or Swift everything.
    ///   - now: the value of `now()`, in seconds since 2001.
    /// - Throws: `FetchError`, and `EvaluationError` for an invalid predicate.
    public static func plan(
        _ request: FetchRequest, layout: StoreLayout, storeUUID: String, evaluation: FetchEvaluation = .automatic,
        now: Double = ReferenceDate.now
    ) throws -> FetchPlan {
        guard let entity = layout.model.entity(named: request.entityName) else {
            throw FetchError(.entityUnknown(request.entityName, known: layout.model.entities.map(\.name)))
        }
        guard layout.table(ofEntity: entity.slot) != nil else { throw FetchError(.tableMissing(entity: entity.name)) }
        let source = try request.fetchSource.map { source in
            guard let owner = layout.model.entity(named: source.entityName) else {
                throw FetchError(.entityUnknown(source.entityName, known: layout.model.entities.map(\.name)))
            }
            return SQLRow(alias: "s", entity: owner.slot)
        }
        var compiler = FetchCompiler(
            layout: layout, request: request.namingObjects(in: layout.model), entity: entity, storeUUID: storeUUID,
            evaluation: evaluation, now: now,
            rows: FetchRows(own: SQLRow(alias: Self.alias, entity: entity.slot), source: source))
        return try compiler.plan()
    }

    private mutating func plan() throws -> FetchPlan {
        if request.fetchSource != nil { return try fetchedProperty() }
        if request.resultType == .count { return try count() }
        if request.resultType == .dictionaries, request.isGrouped || request.returnsDistinctResults {
            return try grouped()
        }
        let columns = try selectedColumns()
        let values = columns.filter { !$0.column.isList }.map(\.sql)
        var hidden: [SelectedColumn] = []
        for property in request.hiddenProperties { hidden.append(try column(property)) }
        if request.includesSortKeys {
            for descriptor in request.sortDescriptors { hidden.append(try sortKey(descriptor)) }
        }
        let needsKey =
            values.count < columns.count || values.isEmpty || request.includesPrimaryKey || !hidden.isEmpty
        let source = try source()
        let ownerParameter = request.owner == nil ? nil : parameters.count
        let rows = " FROM \(source)" + (try membership())
        // The objects of an owner are in the order of the relationship, which SQLite does not keep from a subquery.
        var terms = request.owner == nil ? try order() : ["l.position"]
        if request.unwoundRelationship != nil { terms.append("u.position") }
        let order = terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
        let selected = values + (needsKey ? ["t.Z_PK"] : []) + hidden.map(\.sql)
        let sql = "SELECT " + selected.joined(separator: ", ") + rows + order + limits
        return plan(
            sql, columns.map(\.column), hidden.map(\.column), ownerParameter: ownerParameter,
            stored: storedSelection(of: columns))
    }

    /// Returns the selection of plain table columns, if the request is only for rows in a range of keys.
    private func storedSelection(of columns: [SelectedColumn]) -> StoredSelection? {
        let names = columns.compactMap(\.stored)
        guard request.isOfKeyRange, names.count == columns.count, request.predicate == nil,
            request.sortDescriptors.isEmpty, request.hiddenProperties.isEmpty, request.owner == nil,
            request.unwoundRelationship == nil, limits.isEmpty, let table = layout.table(ofEntity: entity.slot)
        else { return nil }
        return StoredSelection(
            table: table.name, columns: names + ["Z_PK"],
            entityNumbers: numbers(of: entity, includesSubentities: request.includesSubentities).map { Int64($0) })
    }

    /// Returns the entity numbers of the requested rows; empty if they are all rows of the table.
    private func numbers(of entity: ResolvedEntity, includesSubentities: Bool) -> [Int] {
        let slots = includesSubentities ? Array(entity.subtree) : [entity.slot]
        let isWhole = slots.count == model.entities[entity.root].subtree.count
        return isWhole ? [] : slots.map { layout.entityNumbers[$0] }
    }

    func plan(
        _ sql: String, _ columns: [FetchedColumn], _ hidden: [FetchedColumn] = [], ownerParameter: Int? = nil,
        stored: StoredSelection? = nil
    ) -> FetchPlan {
        FetchPlan(
            sql: sql, parameters: parameters, columns: columns, swiftParts: swiftParts, functions: functions,
            texts: texts, hiddenColumns: hidden, ownerParameter: ownerParameter, keyParameter: keyParameter,
            stored: stored)
    }

    private mutating func count() throws -> FetchPlan {
        let rows = "FROM \(table) AS t" + (try membership())
        let isLimited = request.fetchLimit > 0 || request.fetchOffset > 0
        let sql = isLimited ? "SELECT count(*) FROM (SELECT 1 \(rows)\(limits))" : "SELECT count(*) \(rows)"
        return plan(sql, [FetchedColumn(name: "count", form: .integer)])
    }

    /// The `LIMIT` and `OFFSET` clause; SQLite does not allow an offset without a limit.
    var limits: String {
        guard request.fetchLimit > 0 || request.fetchOffset > 0 else { return "" }
        return " LIMIT \(request.fetchLimit > 0 ? request.fetchLimit : -1)"
            + (request.fetchOffset > 0 ? " OFFSET \(request.fetchOffset)" : "")
    }

    /// Returns the WHERE clause: the entity, then the predicate.
    mutating func membership() throws -> String { Self.clause(try conditions()) }

    static func clause(_ conditions: [SQLCondition]) -> String {
        conditions.isEmpty ? "" : " WHERE " + SQLCondition.all(of: conditions).text
    }

    mutating func conditions() throws -> [SQLCondition] {
        var conditions = try conditions(request.predicate, on: rows, includesSubentities: request.includesSubentities)
        if request.isOfKeyRange {
            keyParameter = firstParameter
            conditions.append(SQLCondition("\(Self.alias).Z_PK BETWEEN ?\(firstParameter) AND ?\(firstParameter + 1)"))
            parameters += [.null, .null]
        }
        return conditions
    }

    /// Returns the conditions on rows: their entity, and a predicate.
    mutating func conditions(
        _ predicate: Predicate?, on rows: FetchRows, includesSubentities: Bool = true
    ) throws -> [SQLCondition] {
        var conditions: [SQLCondition] = []
        let entity = model.entities[rows.own.entity]
        let numbers = numbers(of: entity, includesSubentities: includesSubentities).map { "\($0)" }
        if !numbers.isEmpty {
            // If most of a table is requested, in its own order, an index would only make the access random.
            let isWhole = predicate == nil && request.sortDescriptors.isEmpty
            let number = (isWhole ? "+" : "") + rows.own.alias + ".Z_ENT"
            let isOne = numbers.count == 1
            conditions.append(
                SQLCondition(number + (isOne ? " = \(numbers[0])" : " IN (\(numbers.joined(separator: ", ")))")))
        }
        if var predicate = predicate?.substituting(request.variables), predicate != .constant(true) {
            let texts = TextConstants(model: model, entity: rows.own.entity, source: rows.source?.entity)
            predicate = try texts.understood(predicate)
            conditions.append(try condition(predicate, on: rows))
        }
        return conditions
    }
}
