internal import ManagedObjectModels

/// A short description of a property, for lines about its addition or removal.
enum PropertySummary {
    static func of(_ attribute: AttributeDescription) -> String {
        var parts = [attribute.compositeName ?? attribute.type.name]
        if let expression = attribute.derivationExpression { parts.append("derived from \(expression)") }
        if attribute.isTransient { parts.append("transient") }
        parts.append(attribute.isOptional ? "optional" : "required")
        if let value = attribute.defaultValue { parts.append("default " + FacetText.value(value)) }
        if attribute.allowsExternalBinaryDataStorage { parts.append("external storage") }
        return parts.joined(separator: ", ")
    }

    static func of(_ relationship: RelationshipDescription) -> String {
        var parts = [(relationship.isToMany ? "to-many " : "to-one ") + relationship.destinationEntityName]
        if relationship.isOrdered { parts.append("ordered") }
        if relationship.isTransient { parts.append("transient") }
        parts.append(relationship.isOptional ? "optional" : "required")
        parts.append(relationship.inverseName.map { "inverse " + $0 } ?? "no inverse")
        return parts.joined(separator: ", ")
    }
}
