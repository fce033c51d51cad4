import Foundation
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Looks whether a store keeps the rules of its model, with SQL and nothing of the generator's.
struct FixtureJudge {
    private let store: SQLiteStore
    private let layout: StoreLayout

    init(path: String, model: ResolvedModel) throws {
        store = try SQLiteStore(path: path)
        layout = store.layout(for: model)
    }

    /// What is wrong, one sentence each.
    func faults() throws -> [String] {
        var faults = layout.problems.map(\.description)
        if let answer = try store.connection.value("PRAGMA integrity_check").string, answer != "ok" {
            faults.append(answer)
        }
        for entity in layout.model.entities where !entity.isAbstract {
            guard let table = layout.table(ofEntity: entity.slot) else { continue }
            for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
                faults += try self.faults(attribute, of: entity, in: table.name)
            }
            for relationship in entity.relationships where relationship.isStored {
                faults += try self.faults(relationship, of: entity, in: table.name)
            }
        }
        for entity in layout.model.entities {
            for names in entity.description.uniquenessConstraints { faults += try self.faults(names, of: entity) }
        }
        return faults
    }

    private func rows(of entity: ResolvedEntity) -> String { "Z_ENT = \(layout.entityNumbers[entity.slot])" }

    private func faults(
        _ attribute: ResolvedAttribute, of entity: ResolvedEntity, in table: String
    ) throws -> [String] {
        guard let column = layout.column(.attribute(attribute.key))?.name else { return [] }
        let name = SQLiteIdentifier.quoted(column)
        var faults: [String] = []
        let subject = "\(entity.name).\(attribute.name)"
        let validation = attribute.description.validation
        let pattern = try validation.regularExpression.map { try NSRegularExpression(pattern: "^(?:\($0))\\z") }
        let statement = try store.connection.prepare(
            "SELECT \(name) FROM \(SQLiteIdentifier.quoted(table)) WHERE \(rows(of: entity))")
        while try statement.step() {
            let value = statement.value(0)
            if value.isNull {
                if !attribute.isOptional { faults.append("\(subject) has no value") }
                continue
            }
            if let range = attribute.type.integerRange, value.integer.map({ !range.contains($0) }) ?? true {
                faults.append("\(subject) is \(value), no \(attribute.type.name)")
            }
            if attribute.type == .uuid, value.blob?.count != 16 { faults.append("\(subject) is not a UUID") }
            if attribute.type == .boolean, value.integer.map({ $0 != 0 && $0 != 1 }) ?? true {
                faults.append("\(subject) is not a Boolean")
            }
            let measure = attribute.type == .string ? value.string.map { Double($0.utf16.count) } : value.real
            if let minimum = Self.number(validation.minimum), let measure, measure < minimum {
                faults.append("\(subject) is below its minimum: \(value)")
            }
            if let maximum = Self.number(validation.maximum), let measure, measure > maximum {
                faults.append("\(subject) is above its maximum: \(value)")
            }
            if let pattern, let text = value.string,
                pattern.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) == nil
            {
                faults.append("\(subject) does not match: \(text)")
            }
        }
        return faults
    }

    private static func number(_ value: AttributeValue?) -> Double? {
        switch value {
        case .integer(let number)?: Double(number)
        case .real(let number)?, .date(let number)?: number
        case .decimal(let digits)?: Double(digits)
        default: nil
        }
    }

    private func faults(
        _ relationship: ResolvedRelationship, of entity: ResolvedEntity, in table: String
    ) throws -> [String] {
        guard let links = try linkSource(relationship) else { return [] }
        let counts = try store.connection.rows(
            "SELECT (SELECT count(*) FROM \(links.table) l WHERE \(links.condition)) AS n FROM "
                + "\(SQLiteIdentifier.quoted(table)) o WHERE o.\(rows(of: entity))")
        let least = max(relationship.isToMany ? relationship.description.minimumCount : 1, 1)
        let most = relationship.isToMany ? relationship.description.maximumCount : 1
        var faults: Set<String> = []
        for row in counts {
            let count = Int(row[0].integer ?? 0)
            let subject = "\(entity.name).\(relationship.name) has \(count) links"
            if count == 0 {
                if !relationship.isOptional { faults.insert(subject) }
            } else if count < least || most > 0 && count > most {
                faults.insert(subject)
            }
        }
        return Array(faults)
    }

    /// Where the links of an object `o` stand, as rows `l`.
    private func linkSource(_ relationship: ResolvedRelationship) throws -> (table: String, condition: String)? {
        func source(_ table: String?, _ condition: String) -> (String, String)? {
            table.map { (SQLiteIdentifier.quoted($0), condition) }
        }
        let destination = layout.table(ofEntity: relationship.destination)?.name
        switch relationship.storage {
        case .toOne:
            guard let key = layout.column(.toOne(relationship.key))?.name else { return nil }
            return source(destination, "l.Z_PK = o.\(SQLiteIdentifier.quoted(key))")
        case .inverseToOne:
            guard let key = relationship.inverse.flatMap({ layout.column(.toOne($0.key)) })?.name else { return nil }
            return source(destination, "l.\(SQLiteIdentifier.quoted(key)) = o.Z_PK")
        case .unidirectional:
            guard let key = layout.column(.unidirectional(relationship.key))?.name else { return nil }
            return source(destination, "l.\(SQLiteIdentifier.quoted(key)) = o.Z_PK")
        case .joinTable:
            guard let join = layout.joinTable(of: relationship.key) else { return nil }
            return source(join.name, "l.\(SQLiteIdentifier.quoted(join.side(of: relationship.key).owner)) = o.Z_PK")
        }
    }

    private func faults(_ names: [String], of entity: ResolvedEntity) throws -> [String] {
        let columns = names.compactMap { layout.storedColumn(ofProperty: $0, in: entity)?.name }
        guard columns.count == names.count, let table = layout.table(ofEntity: entity.slot)?.name else { return [] }
        let list = columns.map { SQLiteIdentifier.quoted($0) }
        let numbers = entity.subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
        let rows = try store.connection.rows(
            "SELECT count(*) FROM \(SQLiteIdentifier.quoted(table)) WHERE Z_ENT IN (\(numbers)) AND "
                + list.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
                + " GROUP BY \(list.joined(separator: ", ")) HAVING count(*) > 1")
        return rows.isEmpty ? [] : ["\(entity.name): equal values of \(names.joined(separator: ", "))"]
    }
}
