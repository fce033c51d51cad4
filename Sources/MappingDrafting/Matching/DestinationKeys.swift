import ManagedObjectModels

/// What the objects of each entity are known by, in the sources of a draft and in the model.
struct DestinationKeys {
    let model: ResolvedModel
    let names: ModelNames
    /// The entities and their subentities that the draft has a source for.
    private var covered = Set<Int>()
    /// The keys that the draft gives its own objects, by entity.
    private var keys: [Int: [String]] = [:]

    init(model: ResolvedModel) {
        self.model = model
        names = ModelNames(model)
    }

    /// Notes that the draft has a source for an entity, with this key.
    mutating func add(_ key: [String], of entity: Int) {
        var slot: Int? = entity
        while let current = slot, covered.insert(current).inserted { slot = model.entities[current].superentity }
        if keys[entity] == nil || keys[entity] == [] { keys[entity] = key }
    }

    /// Whether the draft has a source for an entity or a subentity of it.
    func hasSource(for entity: ResolvedEntity) -> Bool {
        covered.contains(entity.slot)
    }

    /// The attributes by which objects of an entity may be found, the best first, each by itself.
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

    /// What usually tells objects apart, and what often does.
    static let identifiers = ["id", "identifier", "uuid", "guid", "code", "key"]
    static let names = ["name", "title"]

    /// Whether an attribute is called as what usually tells objects apart.
    static func isIdentifier(_ attribute: String, of entity: ResolvedEntity) -> Bool {
        let words = NameWords(attribute)
        let bare = words.dropping(prefix: NameWords(entity.name)) ?? words
        return identifiers.contains(bare.joined) || identifiers.contains(bare.words.last ?? "")
    }

    /// The attributes of new objects that must have a value and have none by themselves.
    static func required(_ entity: ResolvedEntity) -> [ResolvedAttribute] {
        entity.attributes.filter {
            $0.isStored && !$0.isOptional && !$0.isDerived && $0.description.defaultValue == nil
        }
    }
}
