import ImportMappings
import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// How objects are found in a store that is assembled.
extension AssemblyConditions {
    @_optimize(size)
    func reasonsOfKeys(_ objects: [CompiledObject]) -> [String] {
        var reasons: [String] = []
        if objects.contains(where: { !$0.keyRelationships.isEmpty }) { reasons.append("a key has a relationship") }
        if sources.contains(where: \.compiled.hasSourceKeysOfOneTable) {
            reasons.append("several objects of a record are in one table, and have keys that only the sources have")
        }
        if resolvers.contains(where: { !$0.isSourceKey && (!$0.key.isOwn || $0.hasDerivedKey) }) {
            reasons.append("objects are found by values of others, or by derived ones")
        }
        for root in Set(objects.map(\.table.root) + resolvers.map(\.entityTable.root)) {
            let own = objects.filter { $0.table.root == root }
            let looking = resolvers.filter { $0.entityTable.root == root && !$0.isSourceKey }
            if Set(own.map(\.slot) + looking.map(\.slot)).count > 1 { reasons += reasonsOfEntities(root, own) }
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
            own.contains { $0.keyColumns != object.keyColumns && layout.model.areRelated($0.slot, object.slot) }
        }
            || looking.contains { resolver in
                let names = resolver.key.ownColumns
                let isMaker = makers.contains(ObjectIdentifier(resolver))
                return own.contains { object in
                    guard differ(object.keyColumns, names), layout.model.areRelated(object.slot, resolver.slot) else {
                        return false
                    }
                    // Parts of a key stay as they are, and so do objects without one.
                    return isMaker
                        || layout.model.isKind(object.slot, of: resolver.slot) && object.hasKey
                            && !Set(names).isSubset(of: object.keyColumns)
                }
                    || isMaker
                        && looking.contains { other in
                            differ(other.key.ownColumns, names) && layout.model.areRelated(other.slot, resolver.slot)
                        }
            }
    }

    /// Objects of several entities in a table: each is told apart from those of its own entity and of its subentities.
    @_optimize(size)
    private func reasonsOfEntities(_ root: Int, _ own: [CompiledObject]) -> [String] {
        let name = layout.model.entities[root].name
        var reasons: [String] = []
        if layout.model.entities[root].subtree.count > KeySpace.mostEntities {
            reasons.append("\(name) has more than \(KeySpace.mostEntities) subentities")
        }
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

extension CompiledSource {
    /// Whether records name objects of one table by several of their own.
    fileprivate var hasSourceKeysOfOneTable: Bool {
        objects.indices.contains { one in
            objects.indices.contains { other in
                one < other && objects[one].table.root == objects[other].table.root
                    && !objects[one].sourceKey.isEmpty
                    && objects[one].sourceKey.count == objects[other].sourceKey.count
            }
        }
    }
}
