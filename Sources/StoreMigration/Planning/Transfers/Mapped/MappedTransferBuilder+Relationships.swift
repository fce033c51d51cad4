import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The relationships in mappings, and the links of to-one relationships, which are in the rows themselves.
extension MappedTransferBuilder {
    struct Link {
        let key: ColumnExpression
        let entityNumber: ColumnExpression
    }

    /// Returns nil if the mapping does not specify the relationship.
    func toOneLink(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> Link? {
        if let link = try copiedLink(relationship.key, in: mapping) { return link }
        guard let (instances, place, property) = try instances(relationship, in: mapping) else { return nil }
        let (links, entity) = try expressions.links(instances.path, of: mapping, alias: "s", at: place)
        let makers = try makers(instances, sources: entity, of: relationship, at: place)
        guard !makers.isEmpty else { return Link(key: .null, entityNumber: .null) }
        if links.isToMany && property.choice == nil {
            throw MappedTransferError(
                .toManyBecameToOne, at: place,
                "\(instances.path.format) leads to several objects, and \(relationship.name) takes one; say which with "
                    + "\"choose: first\" or \"choose: last\"")
        }
        var keys: [String] = []
        var cases: [String] = []
        for maker in makers {
            let value = links.value.literalText
            var key = try destinationKey(maker, of: value, kind: relationship.destination)
            if links.isToMany {
                // In the relationship's own order if it has one, otherwise by key.
                let direction = property.choice == .last ? " DESC" : ""
                let places = (links.order.map { ["\($0)\(direction)"] } ?? []) + ["1\(direction)"]
                key =
                    "(SELECT \(key) FROM \(links.tables.joined(separator: ", ")) WHERE "
                    + (links.conditions + ["\(key) IS NOT NULL"]).joined(separator: " AND ")
                    + " ORDER BY \(places.joined(separator: ", ")) LIMIT 1)"
            }
            keys.append(key)
            cases.append("WHEN \(key) IS NOT NULL THEN \(entityNumber(of: key, maker))")
        }
        let isOwn = makers.count == 1 && links.value.literalText == "s.Z_PK" && !links.isToMany
        return Link(
            key: .lookup(Coalescence.sql(keys), keyed: isOwn ? try keyedRows(makers[0]) : nil),
            entityNumber: .lookup("CASE \(cases.joined(separator: " ")) END"))
    }

    /// Returns whether the links of a to-one relationship are only known when policies have created their objects.
    func isLinkedLater(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> Bool {
        // A policy may create objects of its own.
        guard mapping.policy == nil else { return true }
        guard hasPolicies, copiedRelationships[relationship.key] == nil,
            let (instances, place, _) = try instances(relationship, in: mapping)
        else { return false }
        let (_, entity) = try expressions.links(instances.path, of: mapping, alias: "s", at: place)
        return try makers(instances, sources: entity, of: relationship, at: place).contains { $0.policy != nil }
    }

    /// Returns the entity number of an object that a mapping created.
    private func entityNumber(of key: String, _ maker: ResolvedEntityMapping) -> String {
        guard case .associated(let table, _) = maker.keys else {
            return "\(destination.entityNumbers[maker.destination])"
        }
        return "(SELECT k.entity FROM \(table) k WHERE k.destination = \(key) LIMIT 1)"
    }

    /// Returns the value that a mapping specifies for a relationship; nil if it specifies none.
    func instances(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> (DestinationInstances, MappingModelPlace, PropertyMapping)? {
        guard let property = mapping.mapping.relationshipMappings.first(where: { $0.name == relationship.name }),
            let text = property.valueExpression
        else { return nil }
        let place = MappingModelPlace(entityMapping: mapping.name, property: relationship.name)
        let expression = try expressions.parsed(text, in: mapping, at: place)
        if expression == .constant(.null) { return nil }
        guard let instances = DestinationInstances(expression) else {
            // The policy's own code sets the relationship.
            if mapping.policy != nil, expression.callsPolicy { return nil }
            throw MappedTransferError(
                .neededByPolicy, at: place,
                "a relationship takes destinationInstancesForEntityMappingNamed:sourceInstances: or "
                    + "destinationInstancesForSourceRelationshipNamed:sourceInstances: of $manager, and this is \(text)"
            )
        }
        return (instances, place, property)
    }
}
