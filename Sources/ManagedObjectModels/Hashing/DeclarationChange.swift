/// A change to one declaration of an entity that changes the entity's hash.
struct DeclarationChange {
    enum Kind {
        /// The store lacks a property, because it was added to the sources later.
        case absence
        /// The kind is optionality or uniqueness.
        case likely
        case other
    }

    /// The property; empty for a change of the entity.
    let property: String
    /// The difference in words, such as "name is optional".
    let sentence: String
    /// The kind, which determines how often such changes occur together.
    var kind = Kind.other
    let apply: (inout EntityDescription) -> Void

    static func changes(of entity: EntityDescription) -> [DeclarationChange] {
        var changes: [DeclarationChange] = []
        if !entity.uniquenessConstraints.isEmpty {
            changes.append(
                DeclarationChange(property: "", sentence: "has no uniqueness constraint", kind: .likely) {
                    $0.uniquenessConstraints = []
                })
        }
        for attribute in entity.attributes {
            changes += self.changes(of: attribute, isUnique: entity.uniquenessConstraints.contains([attribute.name]))
        }
        for relationship in entity.relationships { changes += self.changes(of: relationship) }
        return changes
    }

    private static func changes(of attribute: AttributeDescription, isUnique: Bool) -> [DeclarationChange] {
        let name = attribute.name
        var changes = [absence(of: name)]
        func add(
            _ sentence: String, kind: Kind = .other, _ change: @escaping (inout AttributeDescription) -> Void
        ) {
            changes.append(
                DeclarationChange(property: name, sentence: sentence, kind: kind) { entity in
                    guard let place = entity.attributes.firstIndex(where: { $0.name == name }) else { return }
                    change(&entity.attributes[place])
                })
        }
        let other = attribute.isOptional ? "required" : "optional"
        add("\(name) is \(other)", kind: .likely) { $0.isOptional.toggle() }
        let isExternal = attribute.allowsExternalBinaryDataStorage
        add("\(name) is \(isExternal ? "not " : "")in external storage") {
            $0.allowsExternalBinaryDataStorage.toggle()
        }
        changes.append(
            DeclarationChange(property: name, sentence: "\(name) is \(isUnique ? "not " : "")unique", kind: .likely) {
                if isUnique {
                    $0.uniquenessConstraints.removeAll { $0 == [name] }
                } else {
                    $0.uniquenessConstraints.append([name])
                }
            })
        for type in plainTypes where type != attribute.type {
            add("\(name) is of the type \(type.name)") { $0.type = type }
            add("\(name) is of the type \(type.name), and \(other)") {
                $0.type = type
                $0.isOptional.toggle()
            }
        }
        return changes
    }

    private static func changes(of relationship: RelationshipDescription) -> [DeclarationChange] {
        let name = relationship.name
        var changes = [absence(of: name)]
        func add(
            _ sentence: String, kind: Kind = .other, _ change: @escaping (inout RelationshipDescription) -> Void
        ) {
            changes.append(
                DeclarationChange(property: name, sentence: sentence, kind: kind) { entity in
                    guard let place = entity.relationships.firstIndex(where: { $0.name == name }) else { return }
                    change(&entity.relationships[place])
                })
        }
        add("\(name) is \(relationship.isOptional ? "required" : "optional")", kind: .likely) { $0.isOptional.toggle() }
        add("\(name) is \(relationship.isOrdered ? "not " : "")ordered") { $0.isOrdered.toggle() }
        add("\(name) is \(relationship.isToMany ? "to-one" : "to-many")") {
            $0.isToMany.toggle()
            $0.maximumCount = relationship.isToMany ? 1 : 0
        }
        if relationship.inverseName != nil { add("\(name) has no inverse") { $0.inverseName = nil } }
        return changes
    }

    /// Returns the absence of a property, which also removes it from uniqueness constraints.
    private static func absence(of name: String) -> DeclarationChange {
        DeclarationChange(property: name, sentence: "does not have \(name)", kind: .absence) { entity in
            entity.attributes.removeAll { $0.name == name }
            entity.relationships.removeAll { $0.name == name }
            entity.uniquenessConstraints.removeAll { $0.contains(name) }
        }
    }

    private static let plainTypes: [AttributeType] = [
        .string, .boolean, .integer64, .integer32, .integer16, .double, .float, .decimal, .date, .binaryData, .uuid,
        .uri,
    ]
}
