import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Results of pairs, consisting of an object and one that a relationship leads to; and texts that Swift computes.
extension FetchCompiler {
    /// Returns the source of the pairs `u`, their owners `t` and the related objects `r`.
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
        try untyped(property).typed(property.resultType)
    }

    private mutating func untyped(_ property: FetchedProperty) throws -> SelectedColumn {
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
            return written("r." + SQLiteIdentifier.quoted(column.name), attribute, named: name)
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
        return SelectedColumn(
            sql: "\(function(text))(\(arguments.joined(separator: ", ")))",
            column: FetchedColumn(name: name, form: text.isJSON ? .json : .text))
    }

    /// Returns the SQL name of the function that computes a text.
    private mutating func function(_ text: ComputedText) -> String {
        // The statements of an owner's objects run at the same time as those of the owners, on one connection.
        let owner = request.owner.map { _ in "_\(UInt(bitPattern: ObjectIdentifier(text)))" } ?? ""
        texts.append(SQLTextFunction(name: "ferry_text_\(texts.count + 1)\(owner)", text: text))
        return texts[texts.count - 1].name
    }

    /// Returns the SQL name of the function that converts the bytes of an attribute to JSON; nil if the bytes are
    /// requested.
    mutating func jsonFunction(_ attribute: ResolvedAttribute?) -> String? {
        guard let attribute, attribute.type == .transformable, let transformers = request.transformers else {
            return nil
        }
        let entity = model.entities[attribute.owner].name
        // The input is the text in the brackets.
        let content = FetchedProperty.Content.expression(.keyPath(attribute.name))
        return function(ComputedText(jsonOf: content, attribute.description, of: entity, transformers))
    }

    /// Returns the result column of an attribute in SQL.
    mutating func written(_ sql: String, _ attribute: ResolvedAttribute, named name: String) -> SelectedColumn {
        let function = jsonFunction(attribute)
        return SelectedColumn(
            sql: function.map { "\($0)(\(sql))" } ?? sql,
            column: FetchedColumn(name: name, form: function == nil ? ValueForm(attribute.description) : .json))
    }
}
