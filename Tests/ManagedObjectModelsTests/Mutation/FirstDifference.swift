import ManagedObjectModels

/// The first part in which two models differ, for a message that a person can read.
func firstDifference(_ one: ManagedObjectModel, _ other: ManagedObjectModel) -> String? {
    // A NaN is equal to nothing, and still the same.
    guard one != other, "\(one)" != "\(other)" else { return nil }
    func text(_ left: some Any, _ right: some Any) -> String { "\(left)\n    | \(right)" }
    if one.composites != other.composites { return text(one.composites, other.composites) }
    if one.configurations != other.configurations { return text(one.configurations, other.configurations) }
    if one.versionIdentifiers != other.versionIdentifiers {
        return text(one.versionIdentifiers, other.versionIdentifiers)
    }
    if one.fetchRequestTemplates != other.fetchRequestTemplates {
        return text(one.fetchRequestTemplates, other.fetchRequestTemplates)
    }
    for (left, right) in zip(one.entities, other.entities) where left != right {
        for (leftPart, rightPart) in zip(left.attributes, right.attributes) where leftPart != rightPart {
            return text(leftPart, rightPart)
        }
        for (leftPart, rightPart) in zip(left.relationships, right.relationships) where leftPart != rightPart {
            return text(leftPart, rightPart)
        }
        for (leftPart, rightPart) in zip(left.fetchedProperties, right.fetchedProperties) where leftPart != rightPart {
            return text(leftPart, rightPart)
        }
        if left.fetchIndexes != right.fetchIndexes { return text(left.fetchIndexes, right.fetchIndexes) }
        if left.attributes != right.attributes {
            return text(left.attributes.map(\.name), right.attributes.map(\.name))
        }
        if left.relationships != right.relationships {
            return text(left.relationships.map(\.name), right.relationships.map(\.name))
        }
        if left.uniquenessConstraints != right.uniquenessConstraints {
            return text(left.uniquenessConstraints, right.uniquenessConstraints)
        }
        if left.compoundIndexes != right.compoundIndexes { return text(left.compoundIndexes, right.compoundIndexes) }
        return text(left, right)
    }
    return text(one.entities.map(\.name), other.entities.map(\.name))
}
