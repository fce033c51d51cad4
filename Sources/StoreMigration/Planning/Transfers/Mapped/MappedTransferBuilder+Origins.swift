import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

extension MappedTransferBuilder {
    /// Returns the values that the mappings copy unchanged from their source objects.
    ///
    /// A missing value of a required property only counts as copied if the property was required before, too.
    func origins() throws(MappedTransferError) -> [CopiedValues] {
        var result: [CopiedValues] = []
        for mapping in mappings {
            let entity = destination.model.entities[mapping.destination]
            var origin = CopiedValues(
                table: expressions.schema.table(of: mapping.source).name, offset: mapping.offset,
                sourceNumber: source.entityNumbers[mapping.source],
                destinationNumber: destination.entityNumbers[mapping.destination])
            for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
                guard case .column(let name) = try attributeValue(attribute, in: mapping) else { continue }
                origin.columns[attribute.key] = SQLiteIdentifier.quoted(name)
                if !attribute.isOptional, !isRequired(name, in: mapping) { origin.newlyRequired.insert(attribute.key) }
            }
            for relationship in entity.relationships where relationship.isStored {
                guard let old = try keptFrom(relationship, of: mapping) else { continue }
                if old.isToMany, relationship.isToMany {
                    origin.links[relationship.key] = LinkPlace(old, layout: source)
                } else if !old.isToMany, !relationship.isToMany, !old.isOptional {
                    origin.columns[relationship.key] = source.column(.toOne(old.key)).map {
                        SQLiteIdentifier.quoted($0.name)
                    }
                }
            }
            result.append(origin)
        }
        return result
    }

    /// Returns the one-to-one relationships of the new model. A link with only one side in the source keeps only one
    /// side, as without a mapping model.
    func oneToOnes() throws(MappedTransferError) -> [OneToOneRule] {
        var result: [OneToOneRule] = []
        for entity in destination.model.entities {
            for relationship in entity.declaredRelationships where relationship.isOneToOne {
                var copied: [String] = []
                for mapping in mappings where destination.model.isKind(mapping.destination, of: relationship.owner) {
                    if let condition = try isOneSidedBefore(relationship, in: mapping) { copied.append(condition) }
                }
                if let links = OneToOneRule(relationship, of: destination, copied: copied) { result.append(links) }
            }
        }
        return result
    }

    /// Returns the condition that the object `d` was created from an object whose destination does not lead back to it;
    /// nil if the relationship does not come from one that was one-to-one before.
    private func isOneSidedBefore(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> String? {
        guard let old = try keptFrom(relationship, of: mapping), old.isOneToOne, let inverse = old.inverse,
            let column = source.column(.toOne(old.key)), let back = source.column(.toOne(inverse.key))
        else { return nil }
        let schema = expressions.schema
        return "(d.Z_ENT = \(destination.entityNumbers[mapping.destination]) AND EXISTS (SELECT 1 FROM "
            + "\(schema.table(of: mapping.source).name) s JOIN \(schema.table(of: old.destination).name) o "
            + "ON o.Z_PK = s.\(SQLiteIdentifier.quoted(column.name)) WHERE s.Z_PK = d.Z_PK - \(mapping.offset) "
            + "AND s.Z_ENT = \(source.entityNumbers[mapping.source]) "
            + "AND o.\(SQLiteIdentifier.quoted(back.name)) IS NOT s.Z_PK))"
    }

    /// Returns whether a column of the source belongs to a required attribute.
    func isRequired(_ column: String, in mapping: ResolvedEntityMapping) -> Bool {
        source.model.entities[mapping.source].attributes.contains {
            !$0.isOptional && source.column(.attribute($0.key))?.name == column
        }
    }

    /// Returns the relationship of the source object that a relationship is copied from, according to its own mapping
    /// or to the mapping of its inverse.
    func keptFrom(
        _ relationship: ResolvedRelationship, of mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> ResolvedRelationship? {
        if let old = try takenOver(relationship, in: mapping) { return old }
        return try takenOverFromOtherSide(relationship, of: mapping)
    }

    /// Returns the relationship of the source object whose inverse is copied by a mapping of the destinations.
    private func takenOverFromOtherSide(
        _ relationship: ResolvedRelationship, of mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> ResolvedRelationship? {
        guard let inverse = relationship.inverse else { return nil }
        for other in mappings where destination.model.isKind(other.destination, of: inverse.owner) {
            guard let back = destination.model.entities[other.destination].relationship(named: inverse.name),
                let old = try takenOver(back, in: other)?.inverse,
                let found = source.model.entities[mapping.source].relationship(named: old.name),
                found.owner == old.owner, found.isStored
            else { continue }
            return found
        }
        return nil
    }

    /// Returns the relationship of the source object itself that a relationship is copied from.
    func takenOver(
        _ relationship: ResolvedRelationship, in mapping: ResolvedEntityMapping
    ) throws(MappedTransferError) -> ResolvedRelationship? {
        guard let (instances, _, _) = try instances(relationship, in: mapping),
            let names = SourcePath.names(of: instances.path), names.count == 1,
            let old = source.model.entities[mapping.source].relationship(named: names[0]), old.isStored
        else { return nil }
        return old
    }
}
