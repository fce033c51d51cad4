import ManagedObjectModels
import MappingModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// Determines whether the objects of a written mapping model may be copied unchanged.
///
/// Inference refuses or ignores cases that a mapping model decides: links without a place, and values that break a rule
/// of the new model. If the data contain such cases, the mapping model recreates its objects, which are then validated.
struct TransferConditions {
    let store: SQLiteStore
    /// A builder of transfers over the tables of the store.
    let builder: TransferBuilder

    func allow(_ mapping: ResolvedMapping) throws(SQLiteError) -> Bool {
        guard keepsCounts else { return false }
        guard try hasValidDefaults() else { return false }
        let questions =
            RequiredLinkQuestions(builder: builder).questions
            + InferredDataQuestions(connection: store.connection, builder: builder)
            .questions(for: mapping.dataDependentFailures)
        return try DataChecks(store).findings(of: questions).isEmpty
    }

    /// The entities whose objects existed before.
    private var entities: [ResolvedEntity] {
        builder.destinationModel.entities.filter { builder.correspondence.sourceSlot[$0.slot] != nil }
    }

    /// Whether relationships with limits lead to as many objects as before.
    private var keepsCounts: Bool {
        entities.allSatisfy { entity in
            entity.relationships.allSatisfy { relationship in
                guard relationship.isToMany, CountRule(relationship) != nil else { return true }
                guard let old = builder.correspondence.sourceRelationship(for: relationship.name, in: entity.slot)
                else {
                    return relationship.inverse.map { builder.sourceCounterparts(of: $0.key).isEmpty } ?? true
                }
                return !TargetFilter(builder, ofAll: old.destination, for: relationship.destination).dropsSome
            }
        }
    }

    /// Returns whether the default values that objects get satisfy the rules of their attributes.
    private func hasValidDefaults() throws(SQLiteError) -> Bool {
        let tests = try ValueTests(store.connection)
        for entity in entities {
            for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
                let value = StoredValue.defaultValue(of: attribute)
                let old = builder.correspondence.sourceAttribute(for: attribute.name, in: entity.slot)
                guard value != .null, old.map({ $0.isOptional && !attribute.isOptional }) ?? true else { continue }
                let rules = AttributeRules(attribute).conditions(
                    on: "(\(value.literal))", tests, subject: attribute.name)
                for rule in rules where try store.connection.value("SELECT \(rule.sql)").integer ?? 0 != 0 {
                    return false
                }
            }
        }
        return true
    }
}
