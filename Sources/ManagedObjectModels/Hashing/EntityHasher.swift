/// Computes the hashes of a model's entities, superentities first.
struct EntityHasher {
    private struct PropertyHash {
        let bytes: [UInt8]
        let doubts: [HashDoubt]
    }

    private let model: ResolvedModel
    private let composites: [String: CompositeDescription]

    /// The hashes of composites by name and depth: each is computed once, no matter how often it is nested.
    private var compositeHashes: [String: PropertyHash] = [:]

    /// The hashes of the stored properties, including inherited ones, by name, for each slot.
    private var properties: [[String: PropertyHash]] = []
    private var results: [EntityHash] = []

    init(_ model: ResolvedModel) {
        self.model = model
        composites = Dictionary(model.model.composites.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func hashes() -> [EntityHash] {
        for entity in model.entities {
            properties.append(propertyHashes(of: entity))
            results.append(hash(of: entity))
        }
        return results
    }

    /// Returns the hashes by the names of entities and properties.
    mutating func propertyHashes() -> [String: [String: VersionHash]] {
        _ = hashes()
        return Dictionary(
            zip(model.entities.map(\.name), properties.map { $0.mapValues { VersionHash($0.bytes) } }),
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the parts of an entity's hash; nil if the model has no such entity.
    static func parts(of name: String, in model: ResolvedModel) -> EntityHashParts? {
        var hasher = EntityHasher(model)
        _ = hasher.hashes()
        return model.entities.first { $0.name == name }.map { hasher.parts(of: $0) }
    }

    private func parts(of entity: ResolvedEntity) -> EntityHashParts {
        EntityHashParts(
            name: entity.name, isAbstract: entity.isAbstract,
            superentity: entity.superentity.map { results[$0].hash },
            properties: properties[entity.slot].sorted { ModelResolver.precedes($0.key, $1.key) }.map {
                ($0.key, $0.value.bytes)
            },
            modifier: entity.description.versionHashModifier,
            constraints: EntityHashParts.constraints(entity.description.uniquenessConstraints))
    }

    private func hash(of entity: ResolvedEntity) -> EntityHash {
        let parts = parts(of: entity)
        var doubts: [HashDoubt] = []
        for (name, _) in parts.properties {
            doubts += properties[entity.slot][name]?.doubts ?? []
            if !Self.isASCII(name) { doubts.append(.name(name)) }
        }
        for relationship in entity.relationships
        where relationship.isStored && relationship.isSelfInverse && relationship.owner != entity.slot {
            doubts.append(.inheritedSelfInverse(relationship: relationship.name))
        }
        let folded = parts.constraints.sorted(by: ModelResolver.precedes).map { $0.lowercased() }
        if folded != folded.sorted(by: ModelResolver.precedes) { doubts.append(.constraintOrder) }
        if !Self.isASCII(entity.name) { doubts.append(.name(entity.name)) }
        return EntityHash(entityName: entity.name, hash: parts.hash(), doubts: doubts)
    }

    private mutating func propertyHashes(of entity: ResolvedEntity) -> [String: PropertyHash] {
        let inherited = entity.superentity.map { properties[$0] } ?? [:]
        var hashes = inherited
        for attribute in entity.attributes where attribute.owner == entity.slot && attribute.elementIndex == 0 {
            guard !attribute.description.isTransient, inherited[attribute.name] == nil else { continue }
            hashes[attribute.name] = hash(of: attribute.description, depth: 0)
        }
        for relationship in entity.relationships where relationship.owner == entity.slot && relationship.isStored {
            guard inherited[relationship.name] == nil else { continue }
            hashes[relationship.name] = PropertyHash(bytes: hash(of: relationship), doubts: [])
        }
        return hashes
    }

    /// Returns H(attr), H(derived) or H(composite).
    private mutating func hash(of attribute: AttributeDescription, depth: Int) -> PropertyHash {
        if let expression = attribute.derivationExpression {
            let derivation = DerivationText(expression)
            var digest = MessageDigest256()
            digest.update(derivation.text)
            let doubt = HashDoubt.derivation(attribute: attribute.name, expression: expression)
            return PropertyHash(bytes: digest.finish(), doubts: derivation.isProven ? [] : [doubt])
        }
        // Resolving has refused composites that are unknown or contain themselves.
        if attribute.type == .composite, let composite = composites[attribute.compositeName ?? ""], depth < 8 {
            let doubts: [HashDoubt] = depth == 1 ? [.nestedComposite(attribute: attribute.name)] : []
            let hash = hash(of: composite, depth: depth)
            return PropertyHash(bytes: hash.bytes, doubts: doubts + hash.doubts)
        }
        var digest = MessageDigest256()
        digest.update(
            Self.propertyHash(attribute.name, isOptional: attribute.isOptional, attribute.versionHashModifier))
        digest.update(littleEndian: UInt32(attribute.type.rawValue))
        let isExternal = attribute.allowsExternalBinaryDataStorage
        let isPreserved = attribute.preservesValueInHistoryOnDeletion
        if isExternal || isPreserved { digest.update(1) }
        var doubts: [HashDoubt] = []
        if isExternal && isPreserved { doubts.append(.externalAndPreserved(attribute: attribute.name)) }
        if attribute.type == .undefined { doubts.append(.undefinedType(attribute: attribute.name)) }
        return PropertyHash(bytes: digest.finish(), doubts: doubts)
    }

    /// Returns H(composite): the hashes of the elements by name.
    private mutating func hash(of composite: CompositeDescription, depth: Int) -> PropertyHash {
        let key = "\(depth) \(composite.name)"
        if let known = compositeHashes[key] { return known }
        var digest = MessageDigest256()
        var doubts: [HashDoubt] = []
        for element in composite.elements.sorted(by: { ModelResolver.precedes($0.name, $1.name) }) {
            let hash = hash(of: element, depth: depth + 1)
            digest.update(hash.bytes)
            // One doubt is enough: nested composites could add many.
            doubts += hash.doubts.prefix(1)
        }
        let result = PropertyHash(bytes: digest.finish(), doubts: doubts)
        compositeHashes[key] = result
        return result
    }

    /// Returns H(rel): the property, destination, inverse unless it is the relationship itself, counts, order.
    private func hash(of relationship: ResolvedRelationship) -> [UInt8] {
        let description = relationship.description
        var digest = MessageDigest256()
        digest.update(
            Self.propertyHash(description.name, isOptional: description.isOptional, description.versionHashModifier))
        digest.update(description.destinationEntityName)
        let isSelfInverse =
            description.inverseName == description.name
            && description.destinationEntityName == model.entities[relationship.owner].name
        if let inverse = description.inverseName, !isSelfInverse { digest.update(inverse) }
        digest.update(littleEndian: UInt32(truncatingIfNeeded: description.maximumCount))
        digest.update(littleEndian: UInt32(truncatingIfNeeded: description.minimumCount))
        if description.isOrdered { digest.update([1, 0]) }
        return digest.finish()
    }

    /// Returns P(prop): name, whether it is optional, whether it is transient (always false, since transient properties
    /// are not hashed), and the modifier.
    private static func propertyHash(_ name: String, isOptional: Bool, _ modifier: String?) -> [UInt8] {
        var digest = MessageDigest256()
        digest.update(name)
        digest.update([isOptional ? 1 : 0, 0])
        digest.update(modifier ?? "")
        return digest.finish()
    }

    private static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }
}
