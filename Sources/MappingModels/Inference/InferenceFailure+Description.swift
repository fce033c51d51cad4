internal import ManagedObjectModels

extension InferenceFailure: CustomStringConvertible {
    /// One sentence: the subject, the problem, and the remedy.
    public var description: String { "\(subject): \(sentence)" }

    /// The problem and the remedy, without the subject.
    public var sentence: String { "\(problem); \(remedy)" }

    /// The problem, without the subject.
    public var problem: String {
        switch code {
        case .attributeTypeChanged(let old, let new):
            "the attribute's type changes from \(old.name) to \(new.name)" + formerName
        case .numberNarrowed(let old, let new):
            "the attribute's type changes from \(old.name) to \(new.name), which cannot hold all of its numbers"
                + formerName
        case .externalDataInlined:
            "the attribute no longer has external storage, and Core Data infers no mapping that moves external data "
                + "into the store" + formerName
        case .toManyBecameToOne: "the relationship changes from to-many to to-one" + formerName
        case .sharedRenamingIdentifier(let identifier, let other):
            "\(other) is found by the renaming identifier \"\(identifier)\" as well, which must be unique" + formerName
        case .mergedHierarchies(let sources):
            "the hierarchies of \(sources.joined(separator: " and ")) are merged into that of \(entity)"
        case .newAttributeWithoutDefault:
            "the new attribute is required and has no default value (missing attribute values on mandatory "
                + "destination attribute)"
        case .requiredWithoutDefault:
            "the attribute is required now and has no default value (missing attribute values on mandatory "
                + "destination attribute)" + formerName
        case .newUniquenessConstraint(let properties):
            "\(properties.joined(separator: ", ")) must be unique now, where duplicates were allowed"
        case .becameAbstract: "the entity is abstract now, so that it can have no objects" + formerName
        case .destinationNarrowed(let destination, let excluded):
            "the relationship leads to \(destination) now, and no longer to \(excluded.joined(separator: ", "))"
        case .severalSources(let inverse):
            "the new to-one relationship is filled from its inverse \(inverse), "
                + "by which several objects may lead to one"
        case .sharedDestinations:
            "the to-many relationship has no inverse, so that a store keeps one owner of each destination, and several "
                + "objects could lead to one before"
        }
    }

    /// The remedy.
    public var remedy: String {
        switch code {
        case .attributeTypeChanged:
            "keep the type, add an attribute with another name and no renaming identifier, or convert the values "
                + "with a custom mapping model"
        case .numberNarrowed:
            "if there are such numbers: correct them first, keep the type, or choose with --narrowing what becomes of "
                + "them"
        case .externalDataInlined:
            "leave external storage on, or give the app a custom mapping model that copies the values"
        case .toManyBecameToOne:
            "keep it to-many, or say in a custom mapping model which destination stays"
        case .sharedRenamingIdentifier:
            "give one of them a renaming identifier that no other has as its name or identifier, or say in a custom "
                + "mapping model which one goes on"
        case .mergedHierarchies:
            "keep the hierarchies apart, give them a common parent in an earlier version, or use a custom mapping model"
        case .newAttributeWithoutDefault, .requiredWithoutDefault:
            "if there are objects without a value: give it a default value, make it optional, or fill it with a custom "
                + "mapping model"
        case .newUniquenessConstraint:
            "if there are duplicates: remove them first, drop the constraint, or use a custom mapping model that "
                + "keeps one of each"
        case .becameAbstract:
            "if there are objects of it: keep it concrete, or give them another entity with a custom mapping model"
        case .destinationNarrowed:
            "if there are links to them: keep the destination entity, or drop or redirect the links with a custom "
                + "mapping model"
        case .severalSources:
            "if several do: make it to-many, or say in a custom mapping model which one stays"
        case .sharedDestinations:
            "if several do: give it an inverse, or say in a custom mapping model which one stays"
        }
    }

    /// The name in the source, if it differs.
    private var formerName: String {
        if let sourceProperty, sourceProperty != property {
            return " (it was \(sourceEntity.map { $0 + "." } ?? "")\(sourceProperty))"
        }
        if property == nil, let sourceEntity, sourceEntity != entity { return " (it was \(sourceEntity))" }
        return ""
    }
}
