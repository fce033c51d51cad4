import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Results of pairs, an object and one of those that a relationship leads to; and texts that Swift computes.
extension FetchCompiler {
    /// The pairs as `u`, their owners as `t` and the related objects as `r`.
    func unwound(_ name: String) throws(FetchError) -> String {
        let relationship = try unwoundRelationship()
        guard let links = RelationshipLinks(relationship, in: layout),
            let related = layout.table(ofEntity: relationship.destination)
        else { throw FetchError(.prefetchNoRelationship(name)) }
        return "(\(links.pairs)) AS u JOIN \(table) AS t ON t.Z_PK = u.owner "
            + "JOIN \(SQLiteIdentifier.quoted(related.name)) AS r ON r.Z_PK = u.related"
    }

    private func unwoundRelationship() throws(FetchError) -> ResolvedRelationship {
        guard let name = request.unwoundRelationship, let relationship = entity.relationship(named: name),
            relationship.isToMany
        else { throw FetchError(.prefetchNoRelationship(request.unwoundRelationship ?? "")) }
        return relationship
    }

    mutating func column(_ property: FetchedProperty) throws -> SelectedColumn {
        switch property.content {
        case .expression(let expression): return try column(expression, named: property.name)
        case .related(let expression): return try related(expression, named: property.name)
        case .position:
            _ = try unwoundRelationship()
            return SelectedColumn(sql: "u.position", column: FetchedColumn(name: property.name, form: .integer))
        case .computed(let text): return try computed(text, named: property.name)
        case .aggregate: throw FetchError(.groupedOther(property.name))
        }
    }

    private mutating func related(_ expression: Expression, named name: String) throws -> SelectedColumn {
        let slot = try unwoundRelationship().destination
        if case .keyPath(.evaluatedObject, let path) = expression,
            let attribute = model.entities[slot].attribute(named: path),
            attribute.isStored, let column = layout.column(.attribute(attribute.key))
        {
            return SelectedColumn(
                sql: "r." + SQLiteIdentifier.quoted(column.name),
                column: FetchedColumn(name: name, form: ValueForm(attribute.description)))
        }
        let compiler = SQLCompiler(
            schema, entity: slot, alias: "r", now: now, firstParameter: parameters.count + 1)
        do throws(SQLRefusal) {
            let fragment = try compiler.compile(expression)
            let sql = take(fragment)
            if case .object(let destination) = fragment.kind {
                return SelectedColumn(
                    sql: uri(of: sql, entity: destination), column: FetchedColumn(name: name, form: .object))
            }
            return SelectedColumn(sql: sql, column: FetchedColumn(name: name, form: ValueForm(fragment.kind)))
        } catch {
            throw FetchError(.propertyUnavailable(name, reason: error.reason))
        }
    }

    private mutating func computed(_ text: ComputedText, named name: String) throws -> SelectedColumn {
        var arguments: [String] = []
        for input in text.inputs {
            let input = try column(FetchedProperty(name: name, input))
            guard !input.column.isList else { throw FetchError(.groupedList(name)) }
            arguments.append(input.sql)
        }
        let function = SQLTextFunction(name: "ferry_text_\(texts.count + 1)", text: text)
        texts.append(function)
        return SelectedColumn(
            sql: "\(function.name)(\(arguments.joined(separator: ", ")))",
            column: FetchedColumn(name: name, form: .text))
    }
}
