import KeyedArchives
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import TestSupport

/// Makes predicates about the objects of a store that many of them satisfy; the same ones for the same seed.
struct PredicateGenerator {
    private let sample: OpenedSample
    private var random: RandomNumbers
    private var variables = 0

    init(_ sample: OpenedSample, seed: UInt64) {
        self.sample = sample
        random = RandomNumbers(seed: seed)
    }

    private mutating func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

    mutating func predicate(_ slot: Int, depth: Int, on start: FormatExpression = .evaluatedObject) throws
        -> FormatPredicate
    {
        if depth > 0 {
            switch Int.random(in: 0..<9, using: &random) {
            case 7, 8: if let nested = try nested(slot, depth, start) { return nested }
            case 0:
                return .and([
                    try predicate(slot, depth: depth - 1, on: start), try predicate(slot, depth: depth - 1, on: start),
                ])
            case 1:
                return .or([
                    try predicate(slot, depth: depth - 1, on: start), try predicate(slot, depth: depth - 1, on: start),
                ])
            case 2: return .not(try predicate(slot, depth: depth - 1, on: start))
            case 3, 4: if let related = try related(slot, depth, start) { return related }
            default: break
            }
        }
        return try comparison(slot, start) ?? .constant(true)
    }

    /// A predicate about the objects of a relationship.
    private mutating func related(_ slot: Int, _ depth: Int, _ start: FormatExpression) throws -> FormatPredicate? {
        let relationships = sample.model.entities[slot].relationships.filter(\.isStored)
        guard let relationship = relationships.randomElement(using: &random) else { return nil }
        let path = FormatExpression.keyPath(relationship.name, on: start)
        guard relationship.isToMany else {
            if chance(4) { return .comparison(path, chance(2) ? .equal : .notEqual, .constant(.null)) }
            return try predicate(relationship.destination, depth: depth - 1, on: path)
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return .comparison(
                .keyPath("@count", on: path),
                [.greaterThan, .equal, .lessThan].randomElement(using: &random) ?? .equal,
                .constant(.integer(Int64.random(in: 0...3, using: &random))))
        case 1:
            variables += 1
            let name = "x\(variables)"
            let inner = try predicate(relationship.destination, depth: depth - 1, on: .variable(name))
            return .comparison(
                .keyPath("@count", on: .subquery(collection: path, variable: name, predicate: inner)), .greaterThan,
                .constant(.integer(0)))
        default:
            guard case .comparison(var comparison)? = try comparison(relationship.destination, path) else { return nil }
            comparison.modifier = chance(2) ? .any : .all
            return .comparison(comparison)
        }
    }

    // MARK: Paths through several to-many relationships

    /// A predicate about what lies behind several relationships, of which some lead to many objects.
    private mutating func nested(_ slot: Int, _ depth: Int, _ start: FormatExpression) throws -> FormatPredicate? {
        guard let (path, destination) = path(from: slot, start) else { return nil }
        let number = Int64.random(in: 0...4, using: &random)
        let order: [ComparisonOperator] = [.greaterThan, .greaterThanOrEqual, .lessThan, .equal, .notEqual]
        let relation = order.randomElement(using: &random) ?? .equal
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .comparison(.keyPath("@count", on: path), relation, .constant(.integer(number)))
        case 1:
            let numbers = sample.model.entities[destination].attributes.filter { isNumber($0) }
            guard let attribute = numbers.randomElement(using: &random) else { return nil }
            // Dates have no sum.
            let names = attribute.type == .date ? ["@max", "@min"] : ["@max", "@min", "@sum", "@avg"]
            let name = names.randomElement(using: &random) ?? "@max"
            let limit = try value(of: attribute, destination) ?? .integer(number)
            return .comparison(.keyPath("\(name).\(attribute.name)", on: path), relation, .constant(limit))
        case 2:
            variables += 1
            let name = "x\(variables)"
            let inner = try predicate(destination, depth: depth - 1, on: .variable(name))
            let found = FormatExpression.subquery(collection: path, variable: name, predicate: inner)
            return .comparison(.keyPath("@count", on: found), relation, .constant(.integer(number)))
        case 3:
            // NONE
            guard case .comparison(var comparison)? = try comparison(destination, path) else { return nil }
            comparison.modifier = .any
            return .not(.comparison(comparison))
        default:
            guard case .comparison(var comparison)? = try comparison(destination, path) else { return nil }
            comparison.modifier = chance(2) ? .any : .all
            return .comparison(comparison)
        }
    }

    /// Two to four relationships, the first of which leads to many objects, and the entity that they lead to.
    private mutating func path(from slot: Int, _ start: FormatExpression) -> (FormatExpression, Int)? {
        var (path, current, hasMany) = (start, slot, false)
        for step in 0..<Int.random(in: 2...4, using: &random) {
            let all = sample.model.entities[current].relationships.filter(\.isStored)
            let many = all.filter(\.isToMany)
            guard let next = (step == 0 || chance(2) ? many : all).randomElement(using: &random) else { break }
            path = .keyPath(next.name, on: path)
            current = next.destination
            hasMany = hasMany || next.isToMany
        }
        return hasMany ? (path, current) : nil
    }

    private func isNumber(_ attribute: ResolvedAttribute) -> Bool {
        guard attribute.isStored, sample.layout.column(.attribute(attribute.key)) != nil else { return false }
        return [.integer16, .integer32, .integer64, .double, .date].contains(attribute.type)
    }

    /// An attribute and a value that some object has.
    private mutating func comparison(_ slot: Int, _ start: FormatExpression) throws -> FormatPredicate? {
        let entity = sample.model.entities[slot]
        let attributes = entity.attributes.filter {
            $0.isStored && !$0.name.contains(".") && sample.layout.column(.attribute($0.key)) != nil
                && StoreSQLSchema.kind(of: $0.type) != nil && !$0.description.allowsExternalBinaryDataStorage
        }
        guard let attribute = attributes.randomElement(using: &random) else { return nil }
        let path = FormatExpression.keyPath(attribute.name, on: start)
        guard let value = try value(of: attribute, slot), !chance(8) else {
            return .comparison(path, chance(2) ? .equal : .notEqual, .constant(.null))
        }
        var operators: [ComparisonOperator] = [.equal, .notEqual]
        switch attribute.type {
        case .string: operators += [.beginsWith, .endsWith, .contains, .like, .lessThan, .memberOf]
        case .binaryData, .transformable, .uuid, .boolean, .uri: break
        default: operators += [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .memberOf, .between]
        }
        let chosen = operators.randomElement(using: &random) ?? .equal
        let isText = attribute.type == .string
        let options: ComparisonOptions = isText && chance(2) ? [.caseInsensitive, .diacriticInsensitive] : []
        switch chosen {
        case .memberOf: return .comparison(path, .memberOf, .aggregate([.constant(value), .constant(value)]), options)
        case .between: return .comparison(path, .between, .aggregate([.constant(value), .constant(value)]))
        default: return .comparison(path, chosen, .constant(value), options)
        }
    }

    private func value(of attribute: ResolvedAttribute, _ slot: Int) throws -> ConstantValue? {
        guard let column = sample.layout.column(.attribute(attribute.key)),
            let table = sample.layout.table(ofEntity: slot), let kind = StoreSQLSchema.kind(of: attribute.type)
        else { return nil }
        let name = SQLiteIdentifier.quoted(column.name)
        let stored = try sample.store.connection.value(
            "SELECT \(name) FROM \(SQLiteIdentifier.quoted(table.name)) WHERE \(name) IS NOT NULL "
                + "ORDER BY Z_PK * 7 % 11, Z_PK LIMIT 1")
        switch ExpressionValue(stored: stored, kind: kind) {
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .decimal(let number): return .decimal(number)
        case .string(let text): return .string(text)
        case .date(let seconds): return .date(seconds)
        case .data(let bytes): return .data(bytes)
        case .uuid(let bytes): return bytes.count == 16 ? .uuid(bytes) : nil
        case .url(let text): return .url(text)
        default: return nil
        }
    }
}
