import ManagedObjectModels
public import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Makes SQL of fetch requests over a store. Computing a plan reads nothing of the store's rows.
public struct FetchCompiler {
    let layout: StoreLayout
    let request: FetchRequest
    let entity: ResolvedEntity
    let storeUUID: String
    let evaluation: FetchEvaluation
    let now: Double
    /// What names in expressions stand for: the statement's rows.
    let rows: FetchRows
    var parameters: [SQLiteValue] = []
    var functions: [RowFunction] = []
    var texts: [SQLTextFunction] = []
    var swiftParts: [FetchPlan.SwiftPart] = []
    var keyParameter: Int?

    /// How the statement names the entity's table.
    static var alias: String { "t" }

    var model: ResolvedModel { layout.model }
    /// The objects that URIs in expressions name.
    var objectIDs: StoreObjectIDs {
        StoreObjectIDs(model: model, storeUUID: storeUUID, siblingUUIDs: request.siblingStoreUUIDs)
    }
    /// The tables as the compiler of expressions sees them.
    var schema: StoreSQLSchema {
        StoreSQLSchema(layout: layout, storeUUID: storeUUID, siblingUUIDs: request.siblingStoreUUIDs)
    }
    /// The number of the next parameter.
    var firstParameter: Int { parameters.count + 1 }
    var table: String { SQLiteIdentifier.quoted(layout.table(ofEntity: entity.slot)?.name ?? "") }

    /// The statements of a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - layout: the tables and columns of the store, and its model.
    ///   - storeUUID: the UUID of the store, whose objects URIs may name.
    ///   - evaluation: whether SQL computes what it can, or Swift all of it.
    ///   - now: the moment of `now()`, in seconds since 2001.
    /// - Throws: `FetchError`, and `EvaluationError` for a predicate that has no meaning.
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
        // An owner's objects have the order of the relationship; SQLite drops that of a subquery.
        var terms = request.owner == nil ? try order() : ["l.position"]
        if request.unwoundRelationship != nil { terms.append("u.position") }
        let order = terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
        let selected = values + (needsKey ? ["t.Z_PK"] : []) + hidden.map(\.sql)
        let sql = "SELECT " + selected.joined(separator: ", ") + rows + order + limits
        return plan(
            sql, columns.map(\.column), hidden.map(\.column), ownerParameter: ownerParameter,
            stored: storedSelection(of: columns))
    }

    /// The columns as the table has them, where rows of a range of keys are all that is wanted.
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

    /// The entity numbers of the rows that are meant; empty if these are all of the table.
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

    /// `LIMIT` and `OFFSET`; SQLite has no offset without a limit.
    var limits: String {
        guard request.fetchLimit > 0 || request.fetchOffset > 0 else { return "" }
        return " LIMIT \(request.fetchLimit > 0 ? request.fetchLimit : -1)"
            + (request.fetchOffset > 0 ? " OFFSET \(request.fetchOffset)" : "")
    }

    /// The WHERE clause: the entity, then the predicate.
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

    /// Which of some rows are meant: those of their entity that satisfy a predicate.
    mutating func conditions(
        _ predicate: Predicate?, on rows: FetchRows, includesSubentities: Bool = true
    ) throws -> [SQLCondition] {
        var conditions: [SQLCondition] = []
        let entity = model.entities[rows.own.entity]
        let numbers = numbers(of: entity, includesSubentities: includesSubentities).map { "\($0)" }
        if !numbers.isEmpty {
            // Where most of a table is wanted, in its own order, an index would only bring it into disorder.
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
