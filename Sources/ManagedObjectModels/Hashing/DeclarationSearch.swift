/// Looks for the one change of a declaration that gives an entity a hash: what differs in a store that does not say it.
public struct DeclarationSearch: Sendable {
    /// How many properties may be hashed, so that large models take no longer than a moment.
    public static let standardEffort = 200_000

    private var effort: Int

    public init(effort: Int = standardEffort) {
        self.effort = effort
    }

    /// Says what the entity with the hash has otherwise, as in "name is optional"; nil if no single change gives it.
    ///
    /// - Parameter hash: the 32 bytes of the entity's hash.
    public mutating func change(of name: String, in model: ManagedObjectModel, giving hash: [UInt8]) -> String? {
        guard let hash = VersionHash(bytes: hash), let entity = model.entity(named: name) else { return nil }
        let part = ModelHashes.part(of: model, with: name)
        guard let place = part.entities.firstIndex(where: { $0.name == name }) else { return nil }
        let cost = part.entities.reduce(1) { $0 + $1.attributes.count + $1.relationships.count }
        for (sentence, changed) in Self.changes(of: entity) {
            effort -= cost
            guard effort >= 0 else { return nil }
            var other = part
            other.entities[place] = changed
            if ModelHashes.hash(of: name, in: other) == hash { return sentence }
        }
        return nil
    }

    private static func changes(of entity: EntityDescription) -> [(String, EntityDescription)] {
        var changes: [(String, EntityDescription)] = []
        func add(_ sentence: String, _ change: (inout EntityDescription) -> Void) {
            var changed = entity
            change(&changed)
            changes.append((sentence, changed))
        }
        if !entity.uniquenessConstraints.isEmpty {
            add("has no uniqueness constraint") { $0.uniquenessConstraints = [] }
        }
        for (index, attribute) in entity.attributes.enumerated() {
            let name = attribute.name
            add("does not have \(name)") { $0.attributes.remove(at: index) }
            add("\(name) is \(attribute.isOptional ? "required" : "optional")") {
                $0.attributes[index].isOptional.toggle()
            }
            let isExternal = attribute.allowsExternalBinaryDataStorage
            add("\(name) is \(isExternal ? "not " : "")in external storage") {
                $0.attributes[index].allowsExternalBinaryDataStorage.toggle()
            }
            if entity.uniquenessConstraints.contains([name]) {
                add("\(name) is not unique") { $0.uniquenessConstraints.removeAll { $0 == [name] } }
            } else {
                add("\(name) is unique") { $0.uniquenessConstraints.append([name]) }
            }
            for type in plainTypes where type != attribute.type {
                add("\(name) is of the type \(type.name)") { $0.attributes[index].type = type }
                add("\(name) is of the type \(type.name), and \(attribute.isOptional ? "required" : "optional")") {
                    $0.attributes[index].type = type
                    $0.attributes[index].isOptional.toggle()
                }
            }
        }
        for (index, relationship) in entity.relationships.enumerated() {
            let name = relationship.name
            add("does not have \(name)") { $0.relationships.remove(at: index) }
            add("\(name) is \(relationship.isOptional ? "required" : "optional")") {
                $0.relationships[index].isOptional.toggle()
            }
            add("\(name) is \(relationship.isOrdered ? "not " : "")ordered") {
                $0.relationships[index].isOrdered.toggle()
            }
            add("\(name) is \(relationship.isToMany ? "to-one" : "to-many")") {
                $0.relationships[index].isToMany.toggle()
                $0.relationships[index].maximumCount = relationship.isToMany ? 1 : 0
            }
            if relationship.inverseName != nil {
                add("\(name) has no inverse") { $0.relationships[index].inverseName = nil }
            }
        }
        return changes
    }

    private static let plainTypes: [AttributeType] = [
        .string, .boolean, .integer64, .integer32, .integer16, .double, .float, .decimal, .date, .binaryData, .uuid,
        .uri,
    ]
}
