import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Groups are rows of a subselect; HAVING, order and limits are applied by an outer select.
extension FetchCompiler {
    mutating func grouped() throws -> FetchPlan {
        var groups = GroupBuilder()
        let keys = request.propertiesToGroupBy
        for key in keys {
            try addKey(key, named: key.columnName, to: &groups)
        }
        var results: [Int] = []
        for property in request.propertiesToFetch {
            switch property.content {
            case .expression(let expression):
                if let known = groups.index(of: property.name) ?? groups.index(of: expression.columnName) {
                    results.append(known)
                } else if request.isGrouped {
                    throw FetchError(.groupedOther(property.name))
                } else {
                    results.append(try addKey(expression, named: property.name, to: &groups))
                }
            case .aggregate(let aggregate, let value):
                results.append(try add(aggregate, of: value, named: property.name, to: &groups))
            case .related, .position, .computed: throw FetchError(.groupedOther(property.name))
            }
        }
        if request.propertiesToFetch.isEmpty, !request.isGrouped {
            for selected in try selectedColumns() {
                results.append(try addKey(.keyPath(selected.column.name), named: selected.column.name, to: &groups))
            }
        }
        // The grouping keys are included, unless the properties are chosen.
        if request.propertiesToFetch.allSatisfy(\.isAggregate) { results = Array(keys.indices) + results }
        // Grouping keys, or all properties, have no explicit types.
        let types = request.propertiesToFetch.map(\.resultType)
        let first = types.isEmpty ? results.count : results.count - types.count
        let selected = results.enumerated().map { index, place in
            SelectedColumn(sql: groups.columns[place].result, column: groups.columns[place].column)
                .typed(index < first ? nil : types[index - first])
        }
        let having = try request.havingPredicate.map {
            try replaceAggregates(in: $0.substituting(request.variables), &groups)
        }
        let rows =
            "SELECT " + groups.columns.map { "\($0.sql) AS \($0.alias)" }.joined(separator: ", ")
            + groups.numbers.map { ", \($0)" }.joined()
            + " FROM \(table) AS t" + (try membership())
            + (groups.keyAliases.isEmpty ? "" : " GROUP BY " + groups.keyAliases.joined(separator: ", "))
        var sql =
            "SELECT " + (request.isGrouped && request.returnsDistinctResults ? "DISTINCT " : "")
            + selected.map(\.sql).joined(separator: ", ") + " FROM (\(rows)) AS g"
        if let having { sql += " WHERE " + (try condition(having, of: groups)) }
        sql += try order(of: groups) + limits
        return plan(sql, selected.map(\.column))
    }

    @discardableResult
    private mutating func addKey(
        _ expression: Expression, named name: String, to groups: inout GroupBuilder
    ) throws -> Int {
        let value = try groupValue(expression, name)
        let isObject = if case .object = value.fragment.kind { true } else { false }
        let sql = take(value.fragment)
        var result: String?
        if case .object(let destination) = value.fragment.kind {
            result = uri(of: "g.c\(groups.columns.count + 1)", entity: destination)
        }
        return groups.add(
            name: name, sql: sql, kind: value.fragment.kind, form: isObject ? .object : value.form, isKey: true,
            result: result)
    }

    private mutating func add(
        _ aggregate: GroupAggregate, of expression: Expression?, named name: String, to groups: inout GroupBuilder
    ) throws -> Int {
        if let known = groups.index(of: name) { return known }
        guard let expression, expression != .evaluatedObject else {
            guard aggregate == .count else {
                throw FetchError(.notAggregated(name, reason: "it needs a value of the objects"))
            }
            return groups.add(name: name, sql: "count(*)", kind: .integer, form: .integer)
        }
        let value = try groupValue(expression, name)
        do {
            let fragment = try aggregate.sql(of: value.fragment)
            let sql = take(fragment)
            let form = aggregate == .minimum || aggregate == .maximum ? value.form : ValueForm(fragment.kind)
            return groups.add(
                name: name, sql: sql, kind: fragment.kind, form: form, isText: aggregate.isText(of: fragment.kind))
        } catch {
            throw FetchError(.notAggregated(name, reason: error.reason))
        }
    }

    private mutating func groupValue(
        _ expression: Expression, _ name: String
    ) throws -> (fragment: SQLFragment, form: ValueForm) {
        _ = try checked(expression)
        do {
            let fragment = try compiler().compile(expression)
            return (fragment, attribute(at: expression).map { ValueForm($0.description) } ?? ValueForm(fragment.kind))
        } catch {
            if (try? compiler().links(expression))?.isToMany == true { throw FetchError(.groupedList(name)) }
            throw FetchError(.propertyUnavailable(name, reason: error.reason))
        }
    }

    // MARK: HAVING and ORDER BY

    private func groupCompiler(_ groups: GroupBuilder) -> SQLCompiler<GroupSchema> {
        SQLCompiler(groups.schema, entity: 0, alias: "g", now: now, firstParameter: parameters.count + 1)
    }

    private mutating func condition(_ predicate: Predicate, of groups: GroupBuilder) throws -> String {
        do {
            return take(try groupCompiler(groups).compile(predicate))
        } catch {
            throw FetchError(.notAggregated("having \(error.part)", reason: error.reason))
        }
    }

    private func order(of groups: GroupBuilder) throws -> String {
        var terms: [String] = []
        for descriptor in request.sortDescriptors {
            guard let index = groups.index(of: descriptor.keyPath) else {
                throw FetchError(.sortKeyNotFetched(descriptor.keyPath, known: groups.columns.map(\.column.name)))
            }
            let column = groups.columns[index]
            let value = SQLFragment(column: "g." + column.comparable, kind: column.kind)
            terms.append(try Self.term(value, descriptor))
        }
        terms += groups.keyAliases.map { "g." + $0 }
        return terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
    }

    /// Replaces aggregates and keys in HAVING by properties of groups.
    private mutating func replaceAggregates(
        in predicate: Predicate, _ groups: inout GroupBuilder
    ) throws -> Predicate {
        try predicate.replacing { expression, _ in try replaceAggregates(in: expression, &groups) }
    }

    private mutating func replaceAggregates(
        in expression: Expression, _ groups: inout GroupBuilder
    ) throws -> Expression {
        if let known = groups.index(of: expression.columnName) { return groups.property(known) }
        switch expression {
        case .function(let selector, let arguments):
            if arguments.count == 1, let aggregate = GroupAggregate(selector: selector) {
                let property = FetchedProperty(aggregate, of: arguments[0])
                let index = try add(aggregate, of: arguments[0], named: property.name, to: &groups)
                return groups.property(index)
            }
            return .function(selector, try arguments.map { try replaceAggregates(in: $0, &groups) })
        case .aggregate(let parts): return .aggregate(try parts.map { try replaceAggregates(in: $0, &groups) })
        case .keyPath(.evaluatedObject, let path): throw FetchError(.groupedOther(path))
        default: return expression
        }
    }
}
