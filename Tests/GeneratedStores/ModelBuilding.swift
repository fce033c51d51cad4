public import ManagedObjectModels

/// Short forms for the models of tests: attributes are optional strings, relationships optional to-ones, unless said.
public func attribute(
    _ name: String, _ type: AttributeType = .string, optional: Bool = true, default value: AttributeValue? = nil,
    renamedFrom identifier: String? = nil, transient: Bool = false, external: Bool = false,
    derived expression: String? = nil
) -> AttributeDescription {
    AttributeDescription(
        name: name, type: type, isOptional: optional, isTransient: transient, renamingIdentifier: identifier,
        defaultValue: value, derivationExpression: expression, allowsExternalBinaryDataStorage: external)
}

public func relationship(
    _ name: String, to destination: String, inverse: String? = nil, many: Bool = false, ordered: Bool = false,
    renamedFrom identifier: String? = nil, transient: Bool = false
) -> RelationshipDescription {
    RelationshipDescription(
        name: name, destinationEntityName: destination, inverseName: inverse, isToMany: many, isOrdered: ordered,
        isTransient: transient, renamingIdentifier: identifier)
}

public func entity(
    _ name: String, parent: String? = nil, abstract: Bool = false, renamedFrom identifier: String? = nil,
    unique: [[String]] = [], _ attributes: [AttributeDescription] = [],
    _ relationships: [RelationshipDescription] = []
) -> EntityDescription {
    EntityDescription(
        name: name, isAbstract: abstract, superentityName: parent, renamingIdentifier: identifier,
        attributes: attributes, relationships: relationships, uniquenessConstraints: unique)
}
