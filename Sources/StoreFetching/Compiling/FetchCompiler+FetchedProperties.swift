import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Fetched properties: a join of the objects that have one, `s`, with the objects that satisfy its predicate, `t`.
extension FetchCompiler {
    /// Returns the results for each object that has the property; the first column identifies that object.
    mutating func fetchedProperty() throws -> FetchPlan {
        guard let source = request.fetchSource, let owner = rows.source else {
            throw FetchError(.tableMissing(entity: entity.name))
        }
        guard let table = layout.table(ofEntity: owner.entity) else {
            throw FetchError(.tableMissing(entity: source.entityName))
        }
        var columns = try selectedColumns()
        if request.propertiesToFetch.isEmpty {
            columns.insert(try column(.variable(FetchSource.variable), named: FetchSource.variable), at: 0)
        }
        let order = try order()
        // The condition on the owners comes first, so that the predicate is evaluated for no other pairs.
        let conditions = try conditions(source.predicate, on: FetchRows(own: owner)) + conditions()
        let isCount = request.resultType == .count
        var values = isCount ? ["count(*)"] : columns.filter { !$0.column.isList }.map(\.sql)
        if !isCount { values.append("t.Z_PK") }
        let from = " FROM \(SQLiteIdentifier.quoted(table.name)) AS s CROSS JOIN \(self.table) AS t"
        let isLimited = request.fetchLimit > 0 || request.fetchOffset > 0
        let pairs = from + Self.clause(conditions)
        guard isLimited else {
            let sql = "SELECT " + values.joined(separator: ", ") + pairs
            if isCount { return plan(sql, [FetchedColumn(name: "count", form: .integer)]) }
            return plan(sql + " ORDER BY s.Z_PK, " + order.joined(separator: ", "), columns.map(\.column))
        }
        // The limit applies to the results of each object.
        let number = "row_number() OVER (PARTITION BY s.Z_PK ORDER BY \(order.joined(separator: ", ")))"
        let named = (isCount ? [] : values.enumerated().map { "\($1) AS c\($0)" }) + ["s.Z_PK AS k", "\(number) AS n"]
        let last = request.fetchLimit > 0 ? " AND n <= \(request.fetchOffset) + \(request.fetchLimit)" : ""
        let chosen = isCount ? "count(*)" : values.indices.map { "c\($0)" }.joined(separator: ", ")
        let sql =
            "SELECT \(chosen) FROM (SELECT \(named.joined(separator: ", "))\(pairs)) "
            + "WHERE n > \(request.fetchOffset)\(last)"
        if isCount { return plan(sql, [FetchedColumn(name: "count", form: .integer)]) }
        return plan(sql + " ORDER BY k, n", columns.map(\.column))
    }

    // MARK: Columns

    /// Returns the objects of a fetched property, their values, or their number; nil for other expressions.
    mutating func fetchedColumn(_ expression: Expression, named name: String) throws -> SelectedColumn? {
        guard case .keyPath(.evaluatedObject, let path) = expression,
            case let keys = path.split(separator: ".", maxSplits: 1).map(String.init), let first = keys.first,
            let property = entity.fetchedProperties(in: model).first(where: { $0.name == first })
        else { return nil }
        let entityName = property.fetchRequest.entityName
        guard let target = model.entity(named: entityName), layout.table(ofEntity: target.slot) != nil
        else { throw FetchError(.tableMissing(entity: entityName)) }
        if keys.count > 1, keys[1] == "@count" {
            let count = try count(of: property, target)
            return SelectedColumn(sql: count, column: FetchedColumn(name: name, form: .integer))
        }
        // A separate statement, whose first parameter is the object's key.
        var inner = try compiler(
            of: property, target,
            FetchRows(
                own: SQLRow(alias: Self.alias, entity: target.slot), source: SQLRow(alias: "s", entity: entity.slot)),
            parameters: [.null])
        let value = try inner.column(keys.count > 1 ? .keyPath(keys[1]) : .evaluatedObject, named: name)
        guard !value.column.isList else { throw FetchError(.groupedList(name)) }
        let conditions = [SQLCondition("s.Z_PK = ?1")] + (try inner.conditions())
        let order = try inner.order().joined(separator: ", ")
        functions = inner.functions
        swiftParts = inner.swiftParts
        return SelectedColumn(
            sql: "",
            column: FetchedColumn(
                name: name, form: value.column.form,
                listSQL: "SELECT \(value.sql) FROM \(self.table) AS s CROSS JOIN "
                    + "\(inner.table) AS t\(Self.clause(conditions)) ORDER BY \(order)\(inner.limits)",
                listParameters: Array(inner.parameters.dropFirst())))
    }

    /// Returns the number of objects of the property, for the current object of the statement.
    private mutating func count(
        of property: FetchedPropertyDescription, _ target: ResolvedEntity
    ) throws -> String {
        var inner = try compiler(
            of: property, target, FetchRows(own: SQLRow(alias: "f", entity: target.slot), source: rows.own),
            parameters: parameters)
        let membership = try inner.membership()
        (functions, parameters, swiftParts) = (inner.functions, inner.parameters, inner.swiftParts)
        return "(SELECT count(*) FROM (SELECT 1 FROM \(inner.table) AS f\(membership)\(inner.limits)))"
    }

    /// Returns a compiler for the results of a property, which shares the functions of this one.
    private func compiler(
        of property: FetchedPropertyDescription, _ target: ResolvedEntity, _ rows: FetchRows,
        parameters: [SQLiteValue]
    ) throws -> FetchCompiler {
        var request = try FetchRequest(of: property)
        request.variables = self.request.variables
        request.siblingStoreUUIDs = self.request.siblingStoreUUIDs
        return FetchCompiler(
            layout: layout, request: request, entity: target, storeUUID: storeUUID, evaluation: evaluation, now: now,
            rows: rows, parameters: parameters, functions: functions, swiftParts: swiftParts)
    }
}
