internal import ManagedObjectModels

/// The rows of an entity's box.
enum PropertyRows {
    static func row(_ attribute: AttributeDescription) -> DiagramRow {
        var detail = attribute.compositeName ?? attribute.type.name
        if attribute.isOptional { detail += "?" }
        if attribute.isDerived { detail += " derived" }
        if attribute.isTransient { detail += " transient" }
        return DiagramRow(name: attribute.name, detail: detail, isOptional: attribute.isOptional)
    }

    static func row(_ relationship: RelationshipDescription) -> DiagramRow {
        DiagramRow(
            name: relationship.name,
            detail: relationship.destinationEntityName + " " + multiplicity(relationship).text
                + (relationship.isOrdered ? " ordered" : ""),
            isRelationship: true, isOptional: relationship.isOptional)
    }

    static func row(_ property: FetchedPropertyDescription) -> DiagramRow {
        DiagramRow(name: property.name, detail: property.fetchRequest.entityName + " fetched")
    }

    static func multiplicity(_ relationship: RelationshipDescription) -> DiagramEdge.Multiplicity {
        let least = relationship.isOptional ? 0 : max(relationship.minimumCount, 1)
        guard relationship.isToMany else {
            return .init(isMany: false, isOptional: least == 0, text: least == 0 ? "0..1" : "1")
        }
        let most = relationship.maximumCount > 0 ? String(relationship.maximumCount) : "*"
        return .init(isMany: true, isOptional: least == 0, text: "\(least)..\(most)")
    }

    static func subtitle(_ entity: ResolvedEntity, in model: ResolvedModel) -> String {
        var parts: [String] = []
        if entity.isAbstract { parts.append("abstract") }
        if let parent = entity.superentity { parts.append("inherits from \(model.entities[parent].name)") }
        if let name = entity.description.managedObjectClassName, name != entity.name { parts.append("class \(name)") }
        return parts.joined(separator: ", ")
    }
}
