internal import ManagedObjectModels

extension ModelRule {
    /// Core Data accesses properties by methods with their names: existing methods take precedence.
    static let reservedNames = ModelRule(.reservedName, .shadowedProperty) { subject in
        subject.model.entities.flatMap { entity in
            let description = entity.description
            let names =
                description.attributes.map(\.name) + description.relationships.map(\.name)
                + description.fetchedProperties.map(\.name)
            return names.compactMap { name in
                if let owner = reservedOwner(of: name) {
                    return subject.finding(
                        .reservedName, name, of: entity,
                        "\(owner) has a method \"\(name)\", which would be called instead")
                }
                guard shadowed.contains(name) else { return nil }
                return subject.finding(
                    .shadowedProperty, name, of: entity,
                    "NSManagedObject has a property \"\(name)\" whose getter is is\(name.prefix(1).uppercased() + name.dropFirst())"
                )
            }
        }
    }

    private static func reservedOwner(of name: String) -> String? {
        if managedObjectMethods.contains(name) { return "NSManagedObject" }
        return objectMethods.contains(name) ? "NSObject" : nil
    }

    /// Properties of NSManagedObject whose getters have other names: the accessors do not conflict, but key-value
    /// coding does.
    private static let shadowed: Set<String> = ["deleted", "fault", "inserted", "updated"]

    /// The instance methods of NSManagedObject without arguments.
    private static let managedObjectMethods: Set<String> = [
        "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent", "didSave",
        "didTurnIntoFault", "entity", "faultingState", "hasChanges", "hasPersistentChangedValues", "isDeleted",
        "isFault",
        "isInserted", "isUpdated", "managedObjectContext", "objectID", "objectWillChange", "prepareForDeletion",
        "willSave", "willTurnIntoFault",
    ]

    /// The instance methods without arguments of NSObject, its protocol, and Foundation's additions.
    private static let objectMethods: Set<String> = [
        "attributeKeys", "autoContentAccessingProxy", "autorelease", "class", "classCode", "classDescription",
        "classForArchiver", "classForCoder", "classForKeyedArchiver", "className", "copy", "dealloc",
        "debugDescription", "description", "finalize", "hash", "init", "isProxy", "mutableCopy", "objectSpecifier",
        "observationInfo", "release", "retain", "retainCount", "scriptingProperties", "self", "superclass",
        "toManyRelationshipKeys", "toOneRelationshipKeys", "zone",
    ]
}
