import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Makes SQL of the expressions of a mapping model, over the rows of a source whose table is called `s`.
struct MappedExpressions {
    let source: StoreLayout
    let naming: SourceNaming
    /// The moment of `now()`, the same for all rows: seconds since 2001.
    let now: Double
    /// The expressions that SQL cannot say; it grows while statements are made.
    var functions = ValueFunctionTable()

    var schema: StoreSQLSchema {
        let naming = self.naming
        return StoreSQLSchema(layout: source) { naming.name($0) }
    }

    func compiler(_ entity: Int, alias: String) -> SQLCompiler<StoreSQLSchema> {
        SQLCompiler(schema, entity: entity, alias: alias, rowVariables: ["source"], now: now)
    }

    /// The condition that a row of the source's table takes part in a mapping.
    func membership(_ mapping: ObjectMapping, alias: String) throws(CustomMappingError) -> String {
        // Core Data's fetch for an entity mapping leaves subentities out: they have mappings of their own.
        let own = "\(alias).Z_ENT = \(source.entityNumbers[mapping.source])"
        guard let text = mapping.mapping.sourceFilter, !isUnfiltered(mapping) else { return own }
        return try condition(text, among: own, of: mapping, alias: alias)
    }

    /// Whether all objects of the source entity are taken.
    func isUnfiltered(_ mapping: ObjectMapping) -> Bool {
        mapping.mapping.sourceFilter == nil || mapping.mapping.sourceFilter == "TRUEPREDICATE"
    }

    /// The condition that a predicate holds for a row that fulfils another one.
    func condition(
        _ text: String, among own: String, of mapping: ObjectMapping, alias: String
    ) throws(CustomMappingError) -> String {
        let place = MappingModelPlace(entityMapping: mapping.name, key: "filter")
        let predicate: Predicate
        do {
            predicate = try Predicate(format: text)
        } catch {
            throw CustomMappingError(.invalid, at: place, "the filter cannot be read: \(error)")
        }
        do {
            let fragment = try compiler(mapping.source, alias: alias).compile(predicate)
            let holds = SQLCondition("(\(fragment.literalText))", mayFail: fragment.mayFail)
            // Neither here nor below for rows of other entities, which lack its values.
            return SQLCondition.all(of: [SQLCondition(own), holds]).text
        } catch {
            if let mistake = error.error(in: predicate) {
                throw CustomMappingError(.filterNotSupported, at: place, "the filter cannot be run: \(mistake)")
            }
            let truth = Expression.conditional(
                predicate, then: .constant(.boolean(true)), otherwise: .constant(.boolean(false)))
            do {
                let call = try call(
                    truth, type: .boolean, subject: "the filter of \(mapping.name)", of: mapping, alias: alias,
                    because: "filter: \(error)")
                return "CASE WHEN \(own) THEN \(call) ELSE 0 END"
            } catch {
                throw CustomMappingError(.filterNotSupported, at: place, "the filter cannot be run: \(error)")
            }
        }
    }

    /// The value of an attribute as its column takes it.
    func value(
        _ text: String, of attribute: ResolvedAttribute, in mapping: ObjectMapping
    ) throws(CustomMappingError) -> ColumnExpression {
        let place = MappingModelPlace(entityMapping: mapping.name, property: attribute.name)
        let expression = try parsed(text, in: mapping, at: place)
        if let taken = takenOver(expression, as: attribute, in: mapping) { return taken }
        let fragment: SQLFragment
        do {
            fragment = try compiler(mapping.source, alias: "s").compile(expression)
        } catch {
            do {
                return .lookup(
                    try call(
                        expression, type: attribute.type, subject: "\(mapping.name).\(attribute.name)", of: mapping,
                        alias: "s", because: "\(attribute.name): \(error)"))
            } catch let cause {
                throw refused(cause, mapping, at: place)
            }
        }
        guard let sql = Self.converted(fragment.literalText, fragment.kind, to: attribute.type) else {
            throw CustomMappingError(
                .typeMismatch, at: place,
                "\(text) gives \(fragment.kind.name), and the attribute is of type \(attribute.type.name); convert "
                    + "it with CAST")
        }
        let isTagged = attribute.description.allowsExternalBinaryDataStorage && fragment.kind != .null
        return .lookup(
            isTagged ? "CASE WHEN \(sql) IS NULL THEN NULL ELSE CAST(X'01' || CAST(\(sql) AS BLOB) AS BLOB) END" : sql)
    }

    /// A call of a function that evaluates the expression in Swift, over what SQL can give it of the row `alias`.
    ///
    /// - Parameter subject: what the value is for, in errors.
    private func call(
        _ expression: Expression, type: AttributeType, subject: String, of mapping: ObjectMapping, alias: String,
        because reason: String
    ) throws -> String {
        let parts = try compiler(mapping.source, alias: alias).partition(expression, variable: "source")
        var names = RecordNames(parts.arguments.map(\.name), variables: ["source"])
        let program = try parts.expression.compile(resolving: &names)
        let name = functions.add(
            ValueFunction(
                program: program, arguments: parts.arguments, type: type, now: now, subject: subject,
                isDeterministic: !expression.isRandom),
            of: expression.format, in: mapping.name, because: reason)
        return "\(name)(\(parts.arguments.map(\.value.literalText).joined(separator: ", ")))"
    }

    /// An attribute of the source row itself, as it is stored: also of types that expressions do not know.
    private func takenOver(
        _ expression: Expression, as attribute: ResolvedAttribute, in mapping: ObjectMapping
    ) -> ColumnExpression? {
        let entity = source.model.entities[mapping.source]
        guard let names = SourcePath.names(of: expression), names.count == 1,
            let old = entity.attribute(named: names[0]), old.isStored,
            Self.isSameStorage(old.type, attribute.type), let column = source.column(.attribute(old.key))
        else { return nil }
        let wasExternal = old.description.allowsExternalBinaryDataStorage
        let isExternal = attribute.description.allowsExternalBinaryDataStorage
        if wasExternal && !isExternal { return .inlined(column.name) }
        guard isExternal && !wasExternal else { return .column(column.name) }
        let name = "s." + SQLiteIdentifier.bare(column.name)
        return .row(
            "CASE WHEN \(name) IS NULL THEN NULL ELSE CAST(X'01' || CAST(\(name) AS BLOB) AS BLOB) END",
            base: column.name)
    }

    /// What a relationship leads to: the parts of a statement that end in a source object's key.
    func links(
        _ path: Expression, of mapping: ObjectMapping, alias: String, at place: MappingModelPlace
    ) throws(CustomMappingError) -> (links: SQLLinks, entity: Int) {
        let links: SQLLinks
        do {
            links = try compiler(mapping.source, alias: alias).links(path)
        } catch {
            throw refused(error, mapping, at: place)
        }
        guard case .object(let entity) = links.value.kind else {
            throw CustomMappingError(
                .typeMismatch, at: place, "\(path.format) gives values and no objects")
        }
        return (links, entity)
    }

    /// The expression of a property, which the place names.
    func parsed(
        _ text: String, in mapping: ObjectMapping, at place: MappingModelPlace
    ) throws(CustomMappingError) -> Expression {
        let properties = mapping.mapping.attributeMappings + mapping.mapping.relationshipMappings
        let property = properties.first { $0.name == place.property }
        do {
            return mapping.mapping.replacingVariables(in: try Expression(format: text), of: property)
        } catch {
            throw CustomMappingError(.invalid, at: place, "the expression cannot be read: \(error)")
        }
    }

    private func refused(
        _ error: any Error, _ mapping: ObjectMapping, at place: MappingModelPlace
    ) -> CustomMappingError {
        guard let policy = mapping.mapping.migrationPolicyClassName else {
            return CustomMappingError(.expressionNotSupported, at: place, "the expression cannot be run: \(error)")
        }
        return CustomMappingError(
            .neededByPolicy, at: place,
            "the expression cannot be run: \(error); it may be for the policy \(policy)")
    }

    // MARK: Types

    private static func isSameStorage(_ source: AttributeType, _ destination: AttributeType) -> Bool {
        switch (source, destination) {
        case _ where source == destination: true
        case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
            (.binaryData, .transformable),
            (.transformable, .binaryData), (.undefined, .transformable), (.float, .double):
            true
        default: false
        }
    }

    /// SQL for a column of a type; nil if Core Data would not take the value. All numbers are `NSNumber`.
    private static func converted(_ sql: String, _ kind: SQLValueKind, to type: AttributeType) -> String? {
        switch (kind, type) {
        case (.null, _): "NULL"
        case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64), (.boolean, .boolean),
            (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64), (.decimal, .decimal),
            (.integer, .decimal), (.real, .decimal), (.boolean, .decimal), (.string, .string), (.url, .uri),
            (.string, .uri), (.date, .date), (.uuid, .uuid), (.data, .binaryData), (.data, .transformable):
            sql
        case (.real, .integer16), (.real, .integer32), (.real, .integer64), (.decimal, .integer16),
            (.decimal, .integer32), (.decimal, .integer64):
            "CAST(\(sql) AS INTEGER)"
        case (.integer, .boolean), (.real, .boolean), (.decimal, .boolean): "((\(sql)) <> 0)"
        case (.integer, .double), (.integer, .float), (.real, .double), (.real, .float), (.decimal, .double),
            (.decimal, .float), (.boolean, .double), (.boolean, .float):
            "CAST(\(sql) AS REAL)"
        default: nil
        }
    }
}
