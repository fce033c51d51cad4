import ImportMappings
import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// The keys by which objects are found in a store that is assembled.
extension AssemblyConditions {
    @_optimize(size)
    func reasonsOfKeys(_ objects: [CompiledObject]) -> [String] {
        var reasons = Set(entities.flatMap(reasonsOfKeyRelationships)).sorted()
        let areFound = resolvers.allSatisfy { resolver in
            resolver.isSourceKey || resolver.key.isOwn || isKey(resolver, of: makers(resolver, objects))
        }
        if !areFound || resolvers.contains(where: \.hasDerivedKey) {
            reasons.append(
                "references find objects by values of related objects that are not their keys, or by derived "
                    + "attributes")
        }
        for root in Set(objects.map(\.table.root) + resolvers.map(\.entityTable.root)) {
            let own = objects.filter { $0.table.root == root }
            let looking = resolvers.filter { $0.entityTable.root == root && !$0.isSourceKey }
            if Set(own.map(\.slot) + looking.map(\.slot)).count > 1 { reasons += reasonsOfEntities(root) }
            if slots(of: root).count > KeySpace.mostEntities {
                reasons.append(
                    "records create or look up objects of more than \(KeySpace.mostEntities) entities of a table")
            }
            let keys = Set(own.map(\.keyColumns))
            let names = Set(looking.map { $0.key.ownColumns.sorted() })
            reasons += reasonsOfSeveralKeys(own, root)
            let external = Set(own.flatMap(\.attributes).filter { $0.isExternal || $0.fileNaming != nil }.map(\.column))
            if !external.isDisjoint(with: keys.union(names).joined()) {
                reasons.append("objects are found by values that may be stored in external files")
            }
        }
        return reasons
    }

    /// Returns the object mappings whose objects a resolver finds.
    private func makers(_ resolver: ReferenceResolver, _ objects: [CompiledObject]) -> [CompiledObject] {
        objects.filter { layout.model.isKind($0.slot, of: resolver.slot) }
    }

    /// Returns whether a resolver finds objects by the key that identifies them.
    private func isKey(_ resolver: ReferenceResolver, of objects: [CompiledObject]) -> Bool {
        let names = resolver.key.parts.map(\.path).sorted()
        return !resolver.isSourceKey && objects.allSatisfy { $0.keyPaths.sorted() == names }
    }

    /// Returns the entities of a table whose objects records create or look up.
    private func slots(of root: Int) -> Set<Int> {
        Set(entities.map(\.object).filter { $0.table.root == root }.map(\.slot))
            .union(resolvers.filter { $0.entityTable.root == root }.map(\.slot))
    }

    /// Returns the reasons why the relationships of a key cannot be compared by the keys that records have for their
    /// destinations. These keys must identify the destinations, which come from the same record or from other sources,
    /// and nothing else may change the relationships.
    @_optimize(size)
    private func reasonsOfKeyRelationships(_ entity: EntityImport) -> [String] {
        let object = entity.object
        return object.keyRelationships.compactMap { position in
            let mapped = object.toOnes[position]
            let relationship = mapped.relationship
            let isChanged =
                InverseWriter.isOneToOne(relationship, layout: layout)
                || entities.contains { other in
                    (other.object.toOnes + other.object.toManys).contains {
                        $0.relationship.key == relationship.inverse?.key
                    }
                }
            if isChanged { return "a key has a relationship that is one-to-one, or whose inverse is mapped" }
            // Mappings find the same object among those of several entities only if all of them look up the same
            // entity.
            let destination = destination(of: mapped, in: entity.source)
            let isFoundOneWay = entities.allSatisfy { other in
                other.object.toOnes.allSatisfy {
                    guard $0.relationship.key == relationship.key else { return true }
                    let found = self.destination(of: $0, in: other.source)
                    return found.slot == destination.slot && found.paths == destination.paths
                }
            }
            if !isFoundOneWay { return "mappings find the objects of a key's relationship in different ways" }
            guard case .key(let target) = mapped.target else { return nil }
            let resolver = resolvers[target.resolver]
            // Parts of keys never change, so the first object that has them is always the same.
            let isPartOfKey =
                resolver.key.isOwn
                && makers(resolver, entities.map(\.object)).allSatisfy {
                    Set(resolver.key.ownColumns).isSubset(of: $0.keyPaths)
                }
            if !isPartOfKey, !isKey(resolver, of: makers(resolver, entities.map(\.object))) {
                return "a key has a relationship to objects that are not found by attributes of their own key"
            }
            return isOfSameRecords(target, resolver.entityTable.root, as: object, in: entity.source.compiled)
                ? "a key has a relationship by key to objects that the same record may also create" : nil
        }
    }

    /// Returns the entity for which the destination of a to-one relationship is looked up, and the columns whose values
    /// identify its objects; no columns if only the record identifies them.
    private func destination(
        of relationship: CompiledRelationship, in source: SourceImport
    ) -> (slot: Int, paths: [String]) {
        switch relationship.target {
        case .key(let target): (target.slot, resolvers[target.resolver].key.parts.map(\.path))
        case .object(let other): (source.compiled.objects[other].slot, source.compiled.objects[other].keyPaths)
        }
    }

    /// Returns whether a record of an object may also create destinations of the object's key, in addition to the
    /// object itself. The objects of a batch are written one mapping after the other, after the objects that are
    /// created because records of the batch name them.
    private func isOfSameRecords(
        _ target: CompiledKeyTarget, _ root: Int, as object: CompiledObject, in source: CompiledSource
    ) -> Bool {
        source.objects.contains { other in
            other.table.root == root && (other.index != object.index || object.isPart)
                || !target.makesMissing
                    && (other.toOnes + other.toManys).contains { relationship in
                        guard case .key(let named) = relationship.target else { return false }
                        return named.makesMissing && layout.model.entities[named.slot].root == root
                    }
        }
    }

    /// The look-ups that create missing objects.
    private var makers: Set<Int> {
        Set(
            entities.flatMap(\.relationships).compactMap { relationship in
                guard case .key(let target) = relationship.compiled.target, target.missing == .create else {
                    return nil
                }
                return target.resolver
            })
    }

    /// Returns the look-ups by values that do not identify objects, if records may change these values, or if the
    /// look-ups create objects that have no other values.
    @_optimize(size)
    func findChangingResolvers() -> Set<Int> {
        let makers = makers
        // If objects are found by several keys, created objects are found by all of them.
        let made = Set(makers.map { resolvers[$0].entityTable.root }).intersection(rootsOfSeveralKeys)
        return Set(
            resolvers.indices.filter { index in
                let resolver = resolvers[index]
                let names = resolver.key.parts.map(\.path)
                guard !resolver.isSourceKey, resolver.key.isOwn, !resolver.hasDerivedKey else { return false }
                if made.contains(resolver.entityTable.root) { return true }
                return entities.map(\.object).contains { object in
                    let key = object.keyPaths
                    guard key.sorted() != names.sorted(), layout.model.areRelated(object.slot, resolver.slot) else {
                        return false
                    }
                    // Parts of a key never change, and neither do objects without a key.
                    let isChanged = object.hasKey && !Set(names).isSubset(of: key)
                    let hasDefault =
                        object.attributes(ofColumns: names) == nil
                        && object.defaults.contains { names.contains($0.column) }
                    let isKind = layout.model.isKind(object.slot, of: resolver.slot)
                    return makers.contains(index) || isKind && (isChanged || hasDefault || isOneOfRecord(object))
                        || isChanged
                            && entities.map(\.object).contains { other in
                                layout.model.isKind(other.slot, of: resolver.slot)
                                    && other.keyPaths != key && object.mayFind(other, in: layout.model)
                            }
                }
            })
    }

    /// Returns whether records have several objects in the table of an object. Such objects are written mapping after
    /// mapping, batch by batch.
    private func isOneOfRecord(_ object: CompiledObject) -> Bool {
        // Keys with relationships are not compared with values that records may change.
        !entities.contains { !$0.object.keyRelationships.isEmpty }
            && sources.map(\.compiled).contains { $0.objects.count { $0.table.root == object.table.root } > 1 }
    }

    /// Returns the roots of the tables with objects that mappings find by different keys.
    @_optimize(size)
    func findRootsOfSeveralKeys() -> Set<Int> {
        let objects = entities.map(\.object)
        return Set(
            objects.filter { object in
                object.hasKey
                    && objects.contains { $0.keyPaths != object.keyPaths && object.mayFind($0, in: layout.model) }
            }.map(\.table.root))
    }

    /// Returns the roots of the other tables with objects that decide about records with objects of tables that are
    /// read in the order of their records: with these objects, the record does or does not count. They are read in this
    /// order, too.
    @_optimize(size)
    func findRootsOfSameRecords() -> Set<Int> {
        var found: Set<Int> = []
        for source in sources.map(\.compiled) {
            func roots(_ relationships: [CompiledRelationship], where isMeant: (CompiledKeyTarget) -> Bool) -> [Int] {
                relationships.compactMap { relationship in
                    guard case .key(let target) = relationship.target, target.makesMissing, isMeant(target) else {
                        return nil
                    }
                    return resolvers[target.resolver].entityTable.root
                }
            }
            let own = source.objects.map(\.table.root) + roots(source.objects.flatMap(\.toOnes)) { _ in true }
            guard !rootsOfSeveralKeys.isDisjoint(with: own) else { continue }
            for object in source.objects {
                let mayFail =
                    object.isForSome || mayBeRefused(object)
                    || source.mayLackFields && object.hasKey && object.attributes.contains(where: \.isNeeded)
                if mayFail { found.insert(object.table.root) }
                for list in object.toManys where mayLackOwners(list, of: object) {
                    guard case .object(let part) = list.target else { continue }
                    found.formUnion([object.table.root, source.objects[part].table.root])
                }
            }
            found.formUnion(roots(source.objects.flatMap { $0.toOnes + $0.toManys }, where: makesUnique))
        }
        // Objects without a key and unique values are not looked up.
        return found.filter { root in
            otherConstraints[root] != nil || entities.contains { $0.object.table.root == root && $0.object.hasKey }
        }
    }

    /// Returns the reasons why the rows of a table whose objects are found by several keys cannot be read one after the
    /// other: objects come from elsewhere, or rows are rejected after all rows have been read.
    @_optimize(size)
    private func reasonsOfSeveralKeys(_ own: [CompiledObject], _ root: Int) -> [String] {
        guard rootsOfSeveralKeys.contains(root) else { return [] }
        var reasons: [String] = []
        if let constraints = otherConstraints[root], let table = layout.tables.first(where: { $0.root == root }),
            !table.linkColumns.isDisjoint(with: constraints.flatMap(\.columnNames))
        {
            reasons.append("have a uniqueness constraint with a relationship")
        }
        let hasForeignKeys = resolvers.contains { resolver in
            resolver.entityTable.root == root && !resolver.isSourceKey && !resolver.key.isOwn
        }
        if hasForeignKeys || own.contains(where: { !$0.keyRelationships.isEmpty }) {
            reasons.append("have keys with relationships")
        }
        // Whether such a record counts is known only when the values of the objects in its lists are compared.
        let haveUniqueLists = sources.map(\.compiled).contains { source in
            let named = source.objects.flatMap { $0.toOnes + $0.toManys }.compactMap { relationship -> Int? in
                guard case .key(let target) = relationship.target else { return nil }
                return resolvers[target.resolver].entityTable.root
            }
            return (source.objects.map(\.table.root) + named).contains(root)
                && source.objects.contains { $0.toManys.contains(where: mayBeRefused) }
        }
        if haveUniqueLists { reasons.append("their records have lists that set a relationship which must be unique") }
        let looking = changingResolvers.filter { resolvers[$0].entityTable.root == root }
        let objects = entities.map(\.object)
        let areSetElsewhere = objects.contains { object in
            object.keyTargets.contains { relationship, target in
                looking.contains(target.resolver)
                    && relationship.isShared(among: objects, in: layout)
            }
        }
        let areBeside = objects.contains { !$0.keyRelationships.isEmpty }
        if areSetElsewhere || !looking.isEmpty && areBeside {
            reasons.append(
                "references find them by values that records may change, in relationships that several mappings set, "
                    + "or beside keys with relationships")
        }
        if mayLackUndecidedObjects {
            reasons.append("whether some that must exist do depends on records that may be rejected")
        }
        let name = layout.model.entities[root].name
        return reasons.map { "objects of \(name) are found by several keys or created in several ways, and \($0)" }
    }

    /// Whether a record may need an object of another record that does not count as long as an object is there, or has an
    /// owner, whose own record turns out to be rejected. The record would be rejected before this is known.
    private var mayLackUndecidedObjects: Bool {
        let objects = entities.map(\.object).filter { rootsOfSeveralKeys.contains($0.table.root) }
        let mayBeUndecided = objects.contains { object in
            object.hasKey && object.onMatch == .error || object.toManys.contains { mayLackOwners($0, of: object) }
        }
        guard mayBeUndecided, sources.contains(where: { mayRejectFound($0.compiled) }) else { return false }
        return objects.contains { $0.hasKey && $0.onMissing == .error }
            || entities.flatMap(\.relationships).map(\.compiled).contains { relationship in
                guard case .key(let target) = relationship.target,
                    rootsOfSeveralKeys.contains(resolvers[target.resolver].entityTable.root)
                else { return false }
                return relationship.relationship.isToMany ? target.isRequiredInList : relationship.isNeeded(target)
            }
    }

    /// Finds the tables with objects that references create with another key than that by which they are found, or with
    /// values that must be unique although they are not told apart by the key, or as several entities.
    @_optimize(size)
    func findRootsOfOtherCreations() -> Set<Int> {
        let objects = entities.map(\.object)
        let createsUnique = objects.flatMap { $0.toOnes + $0.toManys }.compactMap { relationship -> Int? in
            guard case .key(let target) = relationship.target, changingResolvers.contains(target.resolver),
                makesUnique(target)
            else { return nil }
            return resolvers[target.resolver].entityTable.root
        }
        return Set(
            resolvers.map(\.entityTable.root).filter { root in
                let own = objects.filter { $0.table.root == root }
                return areCreatedWithOtherKeys(own, root) || areCreatedAsSeveralEntities(own, root)
            }
        ).union(createsUnique)
    }

    /// Returns whether references may create an object of a table with another key than the one by which it is found.
    private func areCreatedWithOtherKeys(_ own: [CompiledObject], _ root: Int) -> Bool {
        !rootsOfSeveralKeys.contains(root)
            && makers.contains { index in
                let maker = resolvers[index]
                guard maker.entityTable.root == root else { return false }
                let columns = Set(maker.key.parts.map(\.path) + maker.defaults.map(\.column))
                let isChanging = changingResolvers.contains(index)
                // The created object also has another key.
                let isTaken =
                    isChanging
                    && own.contains { object in
                        object.hasKey && columns.isSuperset(of: object.keyPaths)
                            && layout.model.isKind(maker.slot, of: object.slot)
                    }
                return isTaken
                    || resolvers.indices.contains { other in
                        let (resolver, names) = (resolvers[other], resolvers[other].key.parts.map(\.path))
                        guard other != index, resolver.entityTable.root == root, !resolver.isSourceKey,
                            layout.model.areRelated(resolver.slot, maker.slot)
                        else { return false }
                        let areSame = names.sorted() == maker.key.parts.map(\.path).sorted()
                        if areSame, !isChanging, !changingResolvers.contains(other) { return false }
                        // An object that is created without its key has no relationships by which it could be found.
                        return columns.isSuperset(of: names) || !isChanging && !resolver.key.isOwn || !maker.key.isOwn
                    }
            }
    }

    /// Whether objects of several entities are created that may not share their key, by lists, or by records that have
    /// or make others of them.
    private func areCreatedAsSeveralEntities(_ own: [CompiledObject], _ root: Int) -> Bool {
        let looking = resolvers.filter { $0.entityTable.root == root && !$0.isSourceKey }
        guard Set(own.map(\.slot) + looking.map(\.slot)).count > 1 else { return false }
        let keys = Set(own.map { $0.keyColumns.sorted() }).union(looking.map { $0.key.ownColumns.sorted() })
        let table = layout.table(ofEntity: root)?.name
        let isUnique = indexes.knowledge.deferred.contains {
            $0.isUnique && $0.table == table && keys.contains($0.columnNames.sorted())
        }
        func makes(_ object: CompiledObject) -> Bool {
            object.keyTargets.contains { $1.makesMissing && layout.model.entities[$1.slot].root == root }
        }
        // The objects of a batch are written mapping after mapping.
        let areMixed = sources.map(\.compiled).contains { source in
            let makers = source.objects.count(where: makes)
            return makers > 1 || makers > 0 && source.objects.contains { $0.table.root == root }
        }
        return isUnique
            && (areMixed
                || namedTargets.contains {
                    $0.isMade && $0.isOfList && layout.model.entities[$0.slot].root == root
                })
    }

    /// Objects of several entities in a table: each is told apart from those of its own entity and of its subentities.
    @_optimize(size)
    private func reasonsOfEntities(_ root: Int) -> [String] {
        let name = layout.model.entities[root].name
        var reasons: [String] = []
        // The objects that the lists of a relationship name are created in the order of their owners.
        var listed: [PropertyKey: Int] = [:]
        for list in entities.flatMap(\.object.toManys) {
            guard case .key(let target) = list.target, target.makesMissing,
                layout.model.entities[target.slot].root == root
            else { continue }
            if let other = listed.updateValue(target.slot, forKey: list.relationship.key), other != target.slot {
                reasons.append("the lists of a relationship create objects of several entities of \(name)")
            }
        }
        return reasons
    }
}
