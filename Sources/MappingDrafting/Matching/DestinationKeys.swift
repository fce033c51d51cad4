import ManagedObjectModels

/// The keys of each entity's objects, in the sources of a draft and in the model.
struct DestinationKeys {
    let model: ResolvedModel
    let names: ModelNames
    /// The entities for which the draft has a source, with their subentities.
    private var covered = Set<Int>()
    /// The keys of the draft's own objects, by entity.
    private var keys: [Int: [String]] = [:]

    init(model: ResolvedModel) {
        self.model = model
        names = ModelNames(model)
    }

    /// Records that the draft has a source for an entity, with this key.
    mutating func add(_ key: [String], of entity: Int) {
        var slot: Int? = entity
        while let current = slot, covered.insert(current).inserted { slot = model.entities[current].superentity }
        if keys[entity] == nil || keys[entity] == [] { keys[entity] = key }
    }

    /// Returns whether the draft has a source for an entity or a subentity of it.
    func hasSource(for entity: ResolvedEntity) -> Bool {
        covered.contains(entity.slot)
    }

    /// Returns the attributes by which objects of an entity may be found, the best first, each on its own.
    func attributes(of entity: ResolvedEntity) -> [ResolvedAttribute] {
        var names: [String] = []
        func add(_ key: [String]) {
            if key.count == 1, !names.contains(key[0]) { names.append(key[0]) }
        }
        var related = Set(entity.subtree)
        var ancestor = entity.superentity
        while let slot = ancestor {
            related.insert(slot)
            ancestor = model.entities[slot].superentity
        }
        for slot in related.sorted() { add(keys[slot] ?? []) }
        add(EntityHints(entity, in: model).key)
        model.uniquenessConstraints(of: entity.slot).map(\.properties).forEach(add)
        let usual = Self.identifiers + Self.names
        let words = NameWords(entity.name)
        for name in usual {
            for attribute in entity.attributes {
                let own = NameWords(attribute.name)
                if (own.dropping(prefix: words) ?? own).joined == name
                    || (name == "id" && own.words == ["remote", "id"])
                {
                    add([attribute.name])
                }
            }
        }
        return names.compactMap { name in
            entity.attribute(named: name).flatMap { $0.isStored && !$0.isDerived ? $0 : nil }
        }
    }

    /// Names of usual keys, and of common ones.
    static let identifiers = ["id", "identifier", "uuid", "guid", "code", "key"]
    static let names = ["name", "title"]

    /// Returns whether an attribute has the name of a usual key.
    static func isIdentifier(_ attribute: String, of entity: ResolvedEntity) -> Bool {
        let words = NameWords(attribute)
        let bare = words.dropping(prefix: NameWords(entity.name)) ?? words
        return identifiers.contains(bare.joined) || identifiers.contains(bare.words.last ?? "")
    }

    /// Returns the attributes of new objects that require a value and have no default.
    static func required(_ entity: ResolvedEntity) -> [ResolvedAttribute] {
        entity.attributes.filter {
            $0.isStored && !$0.isOptional && !$0.isDerived && $0.description.defaultValue == nil
        }
    }
}
