/// Key paths: to-one relationships become joined tables in a subselect, to-many ones make it a subselect of rows.
extension SQLCompiler {
    /// The maximum number of keys; SQLite joins at most 64 tables.
    private static var maximumKeyCount: Int { 20 }

    mutating func path(_ expression: Expression) throws(SQLRefusal) -> SQLTerm {
        var operand = expression
        var keys: [String] = []
        while case .keyPath(let inner, let path) = operand {
            keys = path.split(separator: ".", omittingEmptySubsequences: false).map { String($0) } + keys
            operand = inner
            guard keys.count <= Self.maximumKeyCount else { throw refuse(expression, "the key path is too long") }
        }
        switch start(operand) {
        case .row(let alias, let entity)?:
            var walk = SQLPathWalk(alias: alias, entity: entity)
            return try follow(keys[...], &walk, expression)
        case .value(let value)?: return try follow(keys[...], on: .value(value), expression)
        case nil:
            if case .variable(let name) = operand {
                guard let constant = substitute(for: name) else { throw refuse(operand, "the variable has no value") }
                let term = try self.constant(ExpressionValue(constant), operand)
                guard case .value(var value) = term else { return try follow(keys[...], on: term, expression) }
                value.asksForNull = true
                return try follow(keys[...], on: .value(value), expression)
            }
            return try follow(keys[...], on: term(operand), expression)
        }
    }

    /// Follows the keys of objects from table to table.
    private mutating func follow(
        _ keys: ArraySlice<String>, _ walk: inout SQLPathWalk, _ place: Expression
    ) throws(SQLRefusal) -> SQLTerm {
        guard let key = keys.first else {
            let key = schema.table(of: walk.entity).primaryKey
            return walk.term("\(walk.alias).\(key)", .object(entity: walk.entity))
        }
        if key.hasPrefix("@") {
            let key = schema.table(of: walk.entity).primaryKey
            return try follow(
                keys, on: walk.term("\(walk.alias).\(key)", .object(entity: walk.entity)), place)
        }
        let rest = keys.dropFirst()
        switch schema.property(key, of: walk.entity) {
        case nil: throw refuse(place, "there is no property \(key)")
        case .inaccessible(let reason)?: throw refuse(place, reason)
        case .composite?:
            guard let next = rest.first, !next.hasPrefix("@") else {
                throw refuse(place, "\(key) is a composite: name one of its elements")
            }
            return try follow(["\(key).\(next)"] + rest.dropFirst(), &walk, place)
        case .attribute(let column, let kind, let bounds)?:
            let name = "\(walk.alias).\(column)"
            // Core Data stores a decimal that is not a number as this text; expressions treat it as no value.
            let value = kind == .decimal ? "nullif(\(name), 'NaN')" : name
            return try follow(rest, on: walk.term(value, kind, bounds), place)
        case .toOne(let column, let destination)?:
            let foreignKey = "\(walk.alias).\(column)"
            guard let next = rest.first, !next.hasPrefix("@") else {
                return try follow(rest, on: walk.term(foreignKey, .object(entity: destination)), place)
            }
            let table = schema.table(of: destination)
            walk.join(table.name, newAlias(), destination) { "\($0).\(table.primaryKey) = \(foreignKey)" }
        case .toMany(let column, let destination, let order)?:
            let own = "\(walk.alias).\(schema.table(of: walk.entity).primaryKey)"
            walk.join(schema.table(of: destination).name, newAlias(), destination) { "\($0).\(column) = \(own)" }
            walk.goToMany(order.map { "\(walk.alias).\($0)" })
        case .manyToMany(let table, let ownColumn, let otherColumn, let destination, let order)?:
            let own = "\(walk.alias).\(schema.table(of: walk.entity).primaryKey)"
            let pairs = newAlias()
            walk.goToMany(order.map { "\(pairs).\($0)" })
            walk.join(table, pairs, destination) { "\($0).\(ownColumn) = \(own)" }
            let other = schema.table(of: destination)
            walk.join(other.name, newAlias(), destination) { "\($0).\(other.primaryKey) = \(pairs).\(otherColumn)" }
        }
        return try follow(rest, &walk, place)
    }

    /// Follows the keys of values, and collection operators.
    private mutating func follow(
        _ keys: ArraySlice<String>, on term: SQLTerm, _ place: Expression
    ) throws(SQLRefusal) -> SQLTerm {
        guard let key = keys.first else { return term }
        let rest = keys.dropFirst()
        if key.hasPrefix("@") {
            return try collectionOperator(key, rest, on: term, place)
        }
        switch term {
        case .value(let operand): return try follow(rest, on: .value(member(key, of: operand, place)), place)
        case .rows(var rows):
            if case .object(let entity) = rows.kind, !rows.isDistinct {
                return try follow(keys, afterRows: &rows, entity, place)
            }
            let value = try member(key, of: SQLOperand(text: rows.value, kind: rows.kind), place)
            guard !rows.isDistinct else { throw refuse(place, "keys of distinct values") }
            rows.value = value.text
            rows.kind = value.kind
            rows.bounds = nil
            return try follow(rest, on: .rows(rows), place)
        case .list: throw refuse(place, "keys of a list")
        }
    }

    /// Follows the keys of objects in rows: `SUBQUERY(...).name`.
    private mutating func follow(
        _ keys: ArraySlice<String>, afterRows rows: inout SQLRows, _ entity: Int, _ place: Expression
    ) throws(SQLRefusal) -> SQLTerm {
        let table = schema.table(of: entity)
        let value = rows.value
        var walk = SQLPathWalk(alias: "", entity: entity, tables: rows.tables, conditions: rows.conditions)
        walk.isToMany = true
        walk.join(table.name, newAlias(), entity) { "\($0).\(table.primaryKey) = \(value)" }
        return try follow(keys, &walk, place)
    }

    /// Compiles `@sum.price`: the keys up to the next operator are applied to the elements.
    private mutating func collectionOperator(
        _ name: String, _ keys: ArraySlice<String>, on term: SQLTerm, _ place: Expression
    ) throws(SQLRefusal) -> SQLTerm {
        if name == "@count" {
            return try follow(keys, on: aggregate(.count, of: term, place), place)
        }
        let ownKeys = keys.prefix { !$0.hasPrefix("@") }
        var result = try follow(ownKeys, on: term, place)
        switch name {
        case "@unionOfObjects", "@unionOfArrays", "@unionOfSets": break
        default:
            guard let function = CollectionFunction(keyPathOperator: name) else {
                throw refuse(place, "there is no collection operator \(name)")
            }
            result = try aggregate(function, of: result, place)
        }
        return try follow(keys.dropFirst(ownKeys.count), on: result, place)
    }

    /// Returns a key of a value itself.
    private mutating func member(
        _ key: String, of operand: SQLOperand, _ place: Expression
    ) throws(SQLRefusal) -> SQLOperand {
        switch (ValueKey(rawValue: key), operand.kind) {
        case (.selfKey?, _): return operand
        case (.absoluteString?, .url), (.absoluteString?, .string), (.stringValue?, .string):
            return SQLOperand(text: operand.text, kind: .string)
        case (.uuidString?, .uuid): return try cast(operand, .string, place)
        case (.length?, .string):
            return SQLOperand(text: function(SQLFunction.name(.length), operand.text), kind: .integer)
        case (.uppercaseString?, .string):
            return SQLOperand(text: function(SQLFunction.name(.uppercase), operand.text), kind: .string)
        case (.lowercaseString?, .string):
            return SQLOperand(text: function(SQLFunction.name(.lowercase), operand.text), kind: .string)
        case (.timeIntervalSinceReferenceDate?, .date):
            return SQLOperand(text: "CAST(\(operand.text) AS REAL)", kind: .real)
        default: throw refuse(place, "the key \(key) of \(operand.kind.name)")
        }
    }
}
