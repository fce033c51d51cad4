import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// A selected value, as SQL and as a column of the results.
struct SelectedColumn {
    let sql: String
    let column: FetchedColumn
    /// The column of the entity's table; nil if SQL computes the value.
    var stored: String?

    /// Returns the column with values of a type; objects and lists stay as they are.
    func typed(_ type: AttributeType?) -> SelectedColumn {
        guard let type, !column.isList, ![.object, .externalData, .json].contains(column.form) else { return self }
        let typed: String
        switch type {
        case .integer16, .integer32, .integer64: typed = "CAST(\(sql) AS INTEGER)"
        case .double, .float: typed = "CAST(\(sql) AS REAL)"
        case .string, .uri: typed = "CAST(\(sql) AS TEXT)"
        case .boolean: typed = "(\(sql)) <> 0"
        case .decimal, .date, .binaryData, .uuid: typed = sql
        case .undefined, .transformable, .objectID, .composite: return self
        }
        return SelectedColumn(sql: typed, column: FetchedColumn(name: column.name, form: ValueForm(type)))
    }
}

extension FetchCompiler {
    mutating func selectedColumns() throws -> [SelectedColumn] {
        if let stored = request.storedColumns {
            return stored.map { name in
                SelectedColumn(
                    sql: "t." + SQLiteIdentifier.quoted(name), column: FetchedColumn(name: name, form: .any))
            }
        }
        let id = SelectedColumn(
            sql: uri(of: "t.Z_PK", entity: entity.slot, number: "t.Z_ENT"),
            column: FetchedColumn(name: "objectID", form: .object))
        if request.resultType == .objectIDs { return [id] }
        var columns: [SelectedColumn] = []
        if request.resultType == .objects { columns.append(id) }
        if request.resultType == .objects || request.propertiesToFetch.isEmpty {
            columns += try storedProperties()
        } else {
            for property in request.propertiesToFetch { columns.append(try column(property)) }
        }
        for path in request.relationshipKeyPathsForPrefetching {
            columns += try prefetched(path)
        }
        return columns
    }

    /// Returns all attributes and to-one relationships that are stored.
    private mutating func storedProperties() throws -> [SelectedColumn] {
        var attributes: [SelectedColumn] = []
        for attribute in entity.attributes {
            if let column = stored(attribute, named: attribute.name) { attributes.append(column) }
        }
        var relationships: [SelectedColumn] = []
        for relationship in entity.relationships where relationship.isStored && !relationship.isToMany {
            relationships.append(try column(.keyPath(relationship.name), named: relationship.name))
        }
        return attributes + relationships
    }

    private mutating func stored(_ attribute: ResolvedAttribute, named name: String) -> SelectedColumn? {
        guard attribute.isStored, let column = layout.column(.attribute(attribute.key)) else { return nil }
        var selected = written("t." + SQLiteIdentifier.quoted(column.name), attribute, named: name)
        if selected.column.form != .json { selected.stored = column.name }
        return selected
    }

    private mutating func prefetched(_ path: String) throws -> [SelectedColumn] {
        try ObjectNames(model: model, objectIDs: objectIDs, entity: entity.slot).check(
            path.split(separator: ".").map(String.init))
        var destination = entity
        for key in path.split(separator: ".") {
            guard let relationship = destination.relationship(named: String(key)) else {
                throw FetchError(.prefetchNoRelationship(path))
            }
            destination = model.entities[relationship.destination]
        }
        let attributes = destination.attributes.filter {
            $0.isStored && $0.elementIndex == 0 && layout.column(.attribute($0.key)) != nil
        }
        return try attributes.map { attribute in
            let name = path + "." + attribute.name
            return try column(.keyPath(name), named: name)
        }
    }

    /// Returns a column for a value, an object as its URI, or a list.
    mutating func column(_ expression: Expression, named name: String) throws -> SelectedColumn {
        if case .keyPath(.evaluatedObject, let path) = expression, let attribute = entity.attribute(named: path),
            let stored = stored(attribute, named: name)
        {
            return stored
        }
        if let fetched = try fetchedColumn(expression, named: name) { return fetched }
        let (program, names) = try checked(expression)
        let refusal: SQLRefusal
        do {
            let fragment = try compiler().compile(expression)
            let text = take(fragment)
            guard case .object(let destination) = fragment.kind else {
                if let attribute = attribute(at: expression) { return written(text, attribute, named: name) }
                return SelectedColumn(
                    sql: text, column: FetchedColumn(name: name, form: ValueForm(fragment.kind)))
            }
            return SelectedColumn(
                sql: uri(of: text, entity: destination), column: FetchedColumn(name: name, form: .object))
        } catch {
            refusal = error
        }
        if let list = try list(expression) { return SelectedColumn(sql: "", column: list.named(name)) }
        if let column = try binaryColumn(at: expression, named: name) { return column }
        if case .keyPath(.evaluatedObject, let path) = expression, !path.contains("@") {
            throw FetchError(.propertyUnavailable(path, reason: refusal.reason))
        }
        let text = call(.expression(program), names, subject: "column \(name)", refusal.description)
        return SelectedColumn(sql: text, column: FetchedColumn(name: name, form: ResultForm.form(of: expression, self)))
    }

    /// Returns a value at the end of a relationship that expressions do not support, such as external data: its
    /// unchanged column.
    private mutating func binaryColumn(at expression: Expression, named name: String) throws -> SelectedColumn? {
        guard case .keyPath(.evaluatedObject, let path) = expression, let dot = path.lastIndex(of: "."),
            let attribute = attribute(at: expression), attribute.isStored,
            let column = layout.column(.attribute(attribute.key))
        else { return nil }
        let owner = Expression.keyPath(String(path[..<dot]))
        let value = SQLiteIdentifier.quoted(column.name)
        if let fragment = try? compiler().compile(owner), case .object(let slot) = fragment.kind {
            let table = SQLiteIdentifier.quoted(layout.table(ofEntity: slot)?.name ?? "")
            let sql = "(SELECT o.\(value) FROM \(table) AS o WHERE o.Z_PK = \(take(fragment)))"
            return written(sql, attribute, named: name)
        }
        return try list(owner, taking: attribute, value).map { SelectedColumn(sql: "", column: $0.named(name)) }
    }

    /// Returns the attribute at the end of a key path.
    func attribute(at expression: Expression) -> ResolvedAttribute? {
        guard case .keyPath(.evaluatedObject, let path) = expression else { return nil }
        if let own = entity.attribute(named: path) { return own }
        var current = entity
        for key in path.split(separator: ".") {
            guard let relationship = current.relationship(named: String(key)) else {
                return current.attribute(named: String(key)).flatMap { path.hasSuffix("." + $0.name) ? $0 : nil }
            }
            current = model.entities[relationship.destination]
        }
        return nil
    }

    /// Returns the column of a path through to-many relationships, whose values for one object have a separate
    /// statement.
    ///
    /// - Parameter taken: an attribute of the objects at the end of the path, and its column.
    private mutating func list(
        _ expression: Expression, taking taken: ResolvedAttribute? = nil, _ column: String? = nil
    ) throws -> FetchedColumn? {
        let compiler = SQLCompiler(
            schema, entity: entity.slot, alias: Self.alias, now: now, firstParameter: 2)
        guard let links = try? compiler.links(expression), links.isToMany, links.value.parameters.isEmpty
        else { return nil }
        if column == nil, case .keyPath(.evaluatedObject, let path) = expression,
            let relationship = entity.relationship(named: path), let own = RelationshipLinks(relationship, in: layout)
        {
            // The relationship itself, in its own order.
            let objects = own.select("Z_PK", of: "?1")
            let sql = "SELECT \(uri(of: "l.Z_PK", entity: relationship.destination)) FROM (\(objects)) AS l"
            return FetchedColumn(name: "", form: .object, listSQL: sql)
        }
        if column == nil, let own = ownValues(expression) { return own }
        let conditions = (["t.Z_PK = ?1"] + links.conditions).joined(separator: " AND ")
        var value = links.value.text
        let attribute = taken ?? attribute(at: expression)
        var form = attribute.map { ValueForm($0.description) } ?? ValueForm(links.value.kind)
        // Objects are sorted by key, and values by their objects: `alias.column` begins with the alias.
        let alias = links.value.text.split(separator: ".").first.map(String.init)
        if let column, let alias { value = alias + "." + column }
        if let function = jsonFunction(attribute) {
            (value, form) = ("\(function)(\(value))", .json)
        } else if column == nil, case .object(let destination) = links.value.kind {
            (value, form) = (uri(of: value, entity: destination), .object)
        }
        let sql =
            "SELECT \(value) FROM \(table) AS t, \(links.tables.joined(separator: ", ")) WHERE \(conditions)"
            + " ORDER BY " + (alias.map { $0 + ".Z_PK" } ?? "1")
        return FetchedColumn(name: "", form: form, listSQL: sql)
    }
}

extension FetchCompiler {
    /// Returns the column of `relationship.attribute`: the values in the relationship's order.
    private mutating func ownValues(_ expression: Expression) -> FetchedColumn? {
        guard case .keyPath(.evaluatedObject, let path) = expression, let dot = path.firstIndex(of: "."),
            let relationship = entity.relationship(named: String(path[..<dot])),
            let links = RelationshipLinks(relationship, in: layout),
            let attribute = model.entities[relationship.destination].attribute(
                named: String(path[path.index(after: dot)...])),
            attribute.isStored, let column = layout.column(.attribute(attribute.key))
        else { return nil }
        let function = jsonFunction(attribute)
        return FetchedColumn(
            name: "", form: function == nil ? ValueForm(attribute.description) : .json,
            listSQL: links.select(SQLiteIdentifier.quoted(column.name), by: function, of: "?1"))
    }
}

extension FetchedColumn {
    func named(_ name: String) -> FetchedColumn {
        FetchedColumn(name: name, form: form, listSQL: listSQL, listParameters: listParameters)
    }
}
