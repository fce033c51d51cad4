import ImportMappings
import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// How objects are found in a store that is assembled.
extension AssemblyConditions {
    @_optimize(size)
    func reasonsOfKeys(_ objects: [CompiledObject]) -> [String] {
        var reasons: [String] = []
        if !objects.allSatisfy(canCompareKey(of:)) {
            reasons.append("a key has a relationship to what is not found by its own key, or may be changed by others")
        }
        let areFound = resolvers.allSatisfy { resolver in
            resolver.isSourceKey || resolver.key.isOwn || isKey(resolver, of: makers(resolver, objects))
        }
        if !areFound || resolvers.contains(where: \.hasDerivedKey) {
            reasons.append("objects are found by values of others that are not their key, or by derived ones")
        }
        for root in Set(objects.map(\.table.root) + resolvers.map(\.entityTable.root)) {
            let own = objects.filter { $0.table.root == root }
            let looking = resolvers.filter { $0.entityTable.root == root && !$0.isSourceKey }
            if Set(own.map(\.slot) + looking.map(\.slot)).count > 1 { reasons += reasonsOfEntities(root, own) }
            if slots(of: root).count > KeySpace.mostEntities {
                reasons.append("records make or name objects of more than \(KeySpace.mostEntities) entities of a table")
            }
            let keys = Set(own.map(\.keyColumns))
            let names = Set(looking.map { $0.key.ownColumns.sorted() })
            if areFoundBySeveralKeys(own, looking) {
                reasons.append("objects of \(layout.model.entities[root].name) are found by several keys")
            }
            let external = Set(own.flatMap(\.attributes).filter { $0.isExternal || $0.fileNaming != nil }.map(\.column))
            if !external.isDisjoint(with: keys.union(names).joined()) {
                reasons.append("objects are found by values that may be files of their own")
            }
        }
        return reasons + reasonsOfConstraints()
    }

    /// The object mappings whose objects a resolver finds.
    private func makers(_ resolver: ReferenceResolver, _ objects: [CompiledObject]) -> [CompiledObject] {
        objects.filter { layout.model.isKind($0.slot, of: resolver.slot) }
    }

    /// Whether a resolver finds objects by what tells them apart.
    private func isKey(_ resolver: ReferenceResolver, of objects: [CompiledObject]) -> Bool {
        let names = resolver.key.parts.map(\.path).sorted()
        return !resolver.isSourceKey && objects.allSatisfy { $0.columnsOfKey(resolvers).sorted() == names }
    }

    /// The entities of a table that records make or look for.
    private func slots(of root: Int) -> Set<Int> {
        Set(entities.map(\.object).filter { $0.table.root == root }.map(\.slot))
            .union(resolvers.filter { $0.entityTable.root == root }.map(\.slot))
    }

    /// Whether the relationships of a key can be compared by the keys of their destinations: these tell the destinations
    /// apart, come from other sources, and nothing else changes the relationships.
    private func canCompareKey(of object: CompiledObject) -> Bool {
        let mappings = entities.map(\.object)
        // Before a record is skipped because its object is missing, or rejected for it, those of the key must be there.
        guard object.keyRelationships.isEmpty || object.onMissing == .create else { return false }
        return object.keyRelationships.allSatisfy { position in
            let relationship = object.toOnes[position]
            guard case .key(let target) = relationship.target else { return false }
            let (resolver, inverse) = (resolvers[target.resolver], relationship.relationship.inverse?.key)
            let root = resolver.entityTable.root
            // Objects of a batch come one mapping after the other, and those that are created because its records name them
            // come before.
            let isOfRecord = sources.map(\.compiled.objects).contains { objects in
                objects.contains { $0.table.root == object.table.root }
                    && objects.contains { other in
                        other.table.root == root
                            || !target.makesMissing
                                && (other.toOnes + other.toManys).contains { relationship in
                                    guard case .key(let named) = relationship.target else { return false }
                                    return named.makesMissing && layout.model.entities[named.slot].root == root
                                }
                    }
            }
            let isChanged =
                InverseWriter.isOneToOne(relationship.relationship, layout: layout)
                || mappings.contains { ($0.toOnes + $0.toManys).contains { $0.relationship.key == inverse } }
            let isFoundOneWay = mappings.flatMap(\.toOnes).allSatisfy { another in
                guard another.relationship.key == relationship.relationship.key else { return true }
                guard case .key(let found) = another.target else { return false }
                return found.resolver == target.resolver
            }
            return isKey(resolver, of: makers(resolver, mappings)) && slots(of: root).count == 1 && !isOfRecord
                && !isChanged && isFoundOneWay
        }
    }

    /// Whether an object of a table may be found by one key and made by another: by records, or by those that name it.
    private func areFoundBySeveralKeys(_ own: [CompiledObject], _ looking: [ReferenceResolver]) -> Bool {
        let makers = Set(
            entities.flatMap(\.relationships).compactMap { relationship -> Int? in
                guard case .key(let target) = relationship.compiled.target, target.missing == .create else {
                    return nil
                }
                return target.resolver
            }.map { ObjectIdentifier(resolvers[$0]) })
        func differ(_ one: [String], _ other: [String]) -> Bool { one.sorted() != other.sorted() }
        return own.contains { object in
            own.contains {
                $0.columnsOfKey(resolvers) != object.columnsOfKey(resolvers)
                    && layout.model.areRelated($0.slot, object.slot)
            }
        }
            || looking.contains { resolver in
                let names = resolver.key.parts.map(\.path)
                let isMaker = makers.contains(ObjectIdentifier(resolver))
                return own.contains { object in
                    let key = object.columnsOfKey(resolvers)
                    guard differ(key, names), layout.model.areRelated(object.slot, resolver.slot) else { return false }
                    // Parts of a key stay as they are, and so do objects without one.
                    return isMaker
                        || layout.model.isKind(object.slot, of: resolver.slot) && object.hasKey
                            && !Set(names).isSubset(of: key)
                }
                    || isMaker
                        && looking.contains { other in
                            differ(other.key.parts.map(\.path), names)
                                && layout.model.areRelated(other.slot, resolver.slot)
                        }
            }
    }

    /// Objects of several entities in a table: each is told apart from those of its own entity and of its subentities.
    @_optimize(size)
    private func reasonsOfEntities(_ root: Int, _ own: [CompiledObject]) -> [String] {
        let name = layout.model.entities[root].name
        var reasons: [String] = []
        let made = namedTargets.filter { $0.isMade && layout.model.entities[$0.slot].root == root }
        let keys = Set(own.map { $0.keyColumns.sorted() }).union(
            resolvers.filter { $0.entityTable.root == root && !$0.isSourceKey }.map { $0.key.ownColumns.sorted() })
        let table = layout.table(ofEntity: root)?.name
        let isUnique = indexes.knowledge.deferred.contains {
            $0.isUnique && $0.table == table && keys.contains($0.columnNames.sorted())
        }
        if !made.isEmpty, isUnique {
            reasons.append("objects of several entities of \(name) are made where they are not there, with unique keys")
        }
        // Those that lists name come behind all others.
        if made.contains(where: \.isOfList), Set(made.map(\.slot)).count > 1 {
            reasons.append("lists name objects to be made, and so do links to other entities of \(name)")
        }
        var lists: [PropertyKey: Int] = [:]
        for object in own {
            for relationship in object.toManys.map(\.relationship)
            where relationship.inverse?.key == relationship.key
                && lists.updateValue(object.slot, forKey: relationship.key).map({ $0 != object.slot }) ?? false
            {
                reasons.append("several entities of \(name) have lists of links that have no direction")
            }
        }
        return reasons
    }
}
