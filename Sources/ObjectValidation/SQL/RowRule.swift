import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// A rule of the model for the rows of an entity's table, as a condition for the rows that violate it.
public struct RowRule: Sendable {
    /// The entity that declares the property.
    public let entity: String
    /// The attribute or relationship of the rule.
    public let property: PropertyKey
    /// The fault of the rows.
    public let fault: ValidationFault
    /// Details of the rule, such as "at most 65"; nil if there are none.
    public let detail: String?
    /// The SQL condition over a row `d`.
    public let condition: String
    /// The quoted name of the property's column.
    public let column: String

    /// The name of the property in messages: `Entity.property`.
    public var subject: String { "\(entity).\(property.name)" }

    /// Returns all rules for values and required to-one relationships; numbers of destinations are checked by
    /// `CountRule`.
    ///
    /// - Parameters:
    ///   - table: the entity's table.
    ///   - layout: the tables and columns of the store, and its model.
    ///   - tests: receives rules that only Swift can evaluate.
    public static func rules(for table: EntityTable, in layout: StoreLayout, _ tests: ValueTests) -> [RowRule] {
        var result: [RowRule] = []
        for slot in layout.model.entities[table.root].subtree {
            let entity = layout.model.entities[slot]
            let numbers = entity.subtree.map { String(layout.entityNumbers[$0]) }.joined(separator: ", ")
            let rows = entity.superentity == nil ? "" : "d.Z_ENT IN (\(numbers)) AND "
            func add(_ key: PropertyKey, _ column: String, _ fault: ValidationFault, _ rule: (String?, String)) {
                result.append(
                    RowRule(
                        entity: entity.name, property: key, fault: fault, detail: rule.0,
                        condition: rows + "(\(rule.1))", column: column))
            }
            for attribute in entity.declaredAttributes where attribute.isStored && !attribute.isDerived {
                guard let column = layout.column(.attribute(attribute.key)) else { continue }
                let name = SQLiteIdentifier.quoted(column.name)
                let rules = AttributeRules(attribute)
                if !rules.isOptional { add(attribute.key, name, .missing, (nil, "d.\(name) IS NULL")) }
                let subject = "\(entity.name).\(attribute.name)"
                for rule in rules.conditions(on: "d.\(name)", tests, subject: subject) {
                    add(attribute.key, name, rule.fault, (rule.detail, rule.sql))
                }
            }
            for relationship in entity.declaredRelationships
            where relationship.isStored && !relationship.isToMany && !relationship.isOptional {
                guard let column = layout.column(.toOne(relationship.key)) else { continue }
                let name = SQLiteIdentifier.quoted(column.name)
                add(relationship.key, name, .missingRelationship, (nil, "d.\(name) IS NULL"))
            }
        }
        return result
    }
}
