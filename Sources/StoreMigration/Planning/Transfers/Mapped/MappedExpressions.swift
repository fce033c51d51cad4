import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreEditing

/// Converts the expressions of a mapping model to SQL over the rows of a source table that is called `s`.
struct MappedExpressions {
    let source: StoreLayout
    let naming: SourceNaming
    /// The time of `now()`, in seconds since 2001; the same for all rows.
    let now: Double
    /// The expressions that SQL cannot represent; the table grows while statements are created.
    var functions = ValueFunctionTable()

    var schema: StoreSQLSchema {
        let naming = self.naming
        return StoreSQLSchema(layout: source) { naming.name($0) }
    }

    private var rows: RowExpressions { RowExpressions(schema, now: now, rowVariables: ["source"]) }

    func compiler(_ entity: Int, alias: String) -> SQLCompiler<StoreSQLSchema> {
        rows.compiler(SQLRow(alias: alias, entity: entity))
    }

    /// Returns the condition that a row of the source's table is a source of a mapping.
    func membership(_ mapping: ResolvedEntityMapping, alias: String) throws(MappedTransferError) -> String {
        // As in Core Data's fetch for an entity mapping, subentities are excluded; they have their own mappings.
        let own = "\(alias).Z_ENT = \(source.entityNumbers[mapping.source])"
        guard let text = mapping.mapping.sourceFilter, !isUnfiltered(mapping) else { return own }
        return try condition(text, among: own, of: mapping, alias: alias)
    }

    /// Returns whether all objects of the source entity are taken.
    func isUnfiltered(_ mapping: ResolvedEntityMapping) -> Bool {
        mapping.mapping.sourceFilter == nil || mapping.mapping.sourceFilter == "TRUEPREDICATE"
    }

    /// Returns the condition that a row which meets another condition satisfies a predicate.
    func condition(
        _ text: String, among own: String, of mapping: ResolvedEntityMapping, alias: String
    ) throws(MappedTransferError) -> String {
        let place = MappingModelPlace(entityMapping: mapping.name, key: "filter")
        let predicate: Predicate
        do {
            predicate = try Predicate(format: text)
        } catch {
            throw MappedTransferError(.invalid, at: place, "the filter cannot be read: \(error)")
        }
        do {
            let fragment = try compiler(mapping.source, alias: alias).compile(predicate)
            let holds = SQLCondition("(\(fragment.literalText))", mayFail: fragment.mayFail)
            // The predicate is not evaluated for rows of other entities, which lack its values.
            return SQLCondition.all(of: [SQLCondition(own), holds]).text
        } catch {
            if let mistake = error.error(in: predicate) {
                throw MappedTransferError(.filterNotSupported, at: place, "the filter cannot be run: \(mistake)")
            }
            let truth = Expression.conditional(
                predicate, then: .constant(.boolean(true)), otherwise: .constant(.boolean(false)))
            do {
                let call = try rows.call(
                    truth, on: SQLRow(alias: alias, entity: mapping.source),
                    for: ValueUse(
                        type: .boolean, subject: "the filter of \(mapping.name)", group: mapping.name,
                        reason: "filter: \(error)"), functions)
                return "CASE WHEN \(own) THEN \(call) ELSE 0 END"
            } catch {
                throw MappedTransferError(.filterNotSupported, at: place, "the filter cannot be run: \(error)")
            }
        }
    }

    /// Returns the value of an attribute as its column stores it.
    func value(
        _ text: String, of attribute: ResolvedAttribute, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> ColumnExpression {
        switch try computed(text, of: attribute, in: mapping) {
        case .copied(let value): return value
        case .call(let call): return .lookup(call)
        case .fragment(let fragment, _):
            guard let sql = RowExpressions.stored(fragment, in: attribute) else {
                throw MappedTransferError(
                    .typeMismatch, at: MappingModelPlace(entityMapping: mapping.name, property: attribute.name),
                    "\(text) gives \(fragment.kind.name), and the attribute is of type \(attribute.type.name); convert "
                        + "it with CAST")
            }
            // Float values are rounded to single precision, as by Core Data's accessors.
            return .lookup(attribute.type == .float ? Connection.single(sql) : sql)
        }
    }

    /// A computed number, and the conditions under which its column cannot represent it exactly.
    struct Number {
        /// SQL for the number, before it is rounded or clamped.
        let sql: String
        var losses: [(loss: NumberLoss, sql: String)]
        /// A fast condition that holds whenever one of the others does; nil if there is none.
        var any: String?
    }

    /// Returns the number that an expression computes for an attribute; nil if it is copied, or if it cannot lose
    /// precision.
    func number(
        _ text: String, of attribute: ResolvedAttribute, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> Number? {
        if attribute.type == .decimal,
            let digits = (try? Expression.inexactNumber(in: text, forDecimal: true)) ?? nil
        {
            return Number(sql: SQLiteValue.string(digits).literal, losses: [(.digits, "1")])
        }
        let number: Number
        switch try computed(text, of: attribute, in: mapping) {
        case .copied: return nil
        case .call(let call):
            let losses = ValueFunction.losses(ofCall: call, as: attribute.type)
            number = Number(sql: ValueFunction.number(ofCall: call), losses: losses.each, any: losses.any)
        case .fragment(let fragment, let isPath):
            let sql = fragment.literalText
            // A Double may be infinite, and so may a value that is looked up.
            let losses =
                isPath && attribute.type == .double
                ? [] : NumberLoss.conditions(on: sql, fragment.kind, as: attribute.type)
            number = Number(sql: sql, losses: losses)
        }
        return number.losses.isEmpty ? nil : number
    }

    /// The source of a value.
    private enum Computed {
        /// The row contains the value.
        case copied(ColumnExpression)
        /// Swift computes the value, in a function that SQL calls.
        case call(String)
        /// SQL computes the value, or a path leads to it.
        case fragment(SQLFragment, isPath: Bool)
    }

    private func computed(
        _ text: String, of attribute: ResolvedAttribute, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> Computed {
        let place = MappingModelPlace(entityMapping: mapping.name, property: attribute.name)
        let expression = try parsed(text, in: mapping, at: place)
        if let taken = takenOver(expression, as: attribute, in: mapping) { return .copied(taken) }
        do {
            return .fragment(
                try compiler(mapping.source, alias: "s").compile(expression),
                isPath: SourcePath.names(of: expression) != nil)
        } catch {
            do {
                return .call(
                    try rows.call(
                        expression, on: SQLRow(alias: "s", entity: mapping.source),
                        for: ValueUse(
                            type: attribute.type, subject: "\(mapping.name).\(attribute.name)", group: mapping.name,
                            reason: "\(attribute.name): \(error)"), functions))
            } catch let cause {
                throw refused(cause, mapping, at: place)
            }
        }
    }

    /// Returns an attribute of the source row itself as it is stored, including types that expressions do not support.
    private func takenOver(
        _ expression: Expression, as attribute: ResolvedAttribute, in mapping: ResolvedEntityMapping
    ) -> ColumnExpression? {
        let entity = source.model.entities[mapping.source]
        // The name of a composite's element contains a period.
        guard let names = SourcePath.names(of: expression),
            let old = entity.attribute(named: names.joined(separator: ".")), old.isStored,
            Self.isSameStorage(old.type, attribute.type), let column = source.column(.attribute(old.key))
        else { return nil }
        let wasExternal = old.description.hasExternalData
        let isExternal = attribute.description.hasExternalData
        if wasExternal && !isExternal { return .inlined(column.name) }
        guard isExternal && !wasExternal else { return .column(column.name) }
        let name = "s." + SQLiteIdentifier.bare(column.name)
        return .row(RowExpressions.inline(name), base: column.name)
    }

    /// Returns the objects to which a relationship leads, as the parts of a statement that results in a source object's
    /// key.
    func links(
        _ path: Expression, of mapping: ResolvedEntityMapping, alias: String, at place: MappingModelPlace
    ) throws(MappedTransferError) -> (links: SQLLinks, entity: Int) {
        let links: SQLLinks
        do {
            links = try compiler(mapping.source, alias: alias).links(path)
        } catch {
            throw refused(error, mapping, at: place)
        }
        guard case .object(let entity) = links.value.kind else {
            throw MappedTransferError(
                .typeMismatch, at: place, "\(path.format) gives values and no objects")
        }
        return (links, entity)
    }

    /// Parses the expression of a property, which the place names.
    func parsed(
        _ text: String, in mapping: ResolvedEntityMapping, at place: MappingModelPlace
    ) throws(MappedTransferError) -> Expression {
        let properties = mapping.mapping.attributeMappings + mapping.mapping.relationshipMappings
        let property = properties.first { $0.name == place.property }
        do {
            return mapping.mapping.replacingVariables(in: try Expression(format: text), of: property)
        } catch {
            throw MappedTransferError(.invalid, at: place, "the expression cannot be read: \(error)")
        }
    }

    private func refused(
        _ error: any Error, _ mapping: ResolvedEntityMapping, at place: MappingModelPlace
    ) -> MappedTransferError {
        guard let policy = mapping.mapping.migrationPolicyClassName else {
            return MappedTransferError(.expressionNotSupported, at: place, "the expression cannot be run: \(error)")
        }
        return MappedTransferError(
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
}
