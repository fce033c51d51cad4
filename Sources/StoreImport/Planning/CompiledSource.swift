import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources

/// A compiled source mapping, whose names are resolved to slots.
struct CompiledSource {
    let name: String
    let filter: CompiledFilter?
    let objects: [CompiledObject]
    /// The entities of the objects that its records create directly, or by referring to them.
    let madeSlots: Set<Int>
    /// The order in which objects are written: destinations of to-one relationships come first.
    let writeOrder: [Int]
    /// For each object and position, the to-one relationships that are written after all objects, because they form a
    /// cycle, or because their destination can only be found through an object that is found when it is written.
    let lateToOnes: [Set<Int>]
    /// The order in which the parts of a record are found: parts of parts come after them.
    let conversionOrder: [Int]
    /// Whether a record can be rejected after other objects of it were written, so that the batch must be rolled back
    /// and repeated.
    let needsReplay: Bool
    /// Whether the order of records matters, so that they are written one by one: several mappings create objects with
    /// the same key or refer to each other's objects by key, or records that refer to objects of their own entity are
    /// skipped.
    let isSequential: Bool
    /// For each object, the relationships, to-one relationships first, whose parts are deleted if their owner no longer
    /// has them.
    let mirroredParts: [Set<Int>]
    /// The paths of its fields, if a user wrote them and they should lead to values; nil for a flat source.
    var watchedPaths: [RecordPath]?

    /// Whether a record may have no field at a place where others have one.
    var mayLackFields = false

    /// - Parameters:
    ///   - namesOthers: whether an object of a record refers to another one by its key.
    ///   - resolvers: the lookups of the import.
    /// - Throws: `ImportPlanError` if the to-one relationships of keys form a cycle.
    init(
        name: String, filter: CompiledFilter?, objects: [CompiledObject], namesOthers: Bool = false,
        resolvers: [CompiledImport.Resolver] = []
    ) throws(ImportPlanError) {
        self.name = name
        self.filter = filter
        var parts: [Int] = []
        // The reader of mappings refuses parts that contain themselves, so the remaining objects are in no part.
        while parts.count < objects.count {
            let next = objects.indices.first { index in
                !parts.contains(index) && objects[index].parent.map { parts.contains($0) } ?? true
            }
            guard let next else {
                throw ImportPlanError(.badSetting("parts of a record contain themselves"), source: name)
            }
            parts.append(next)
        }
        conversionOrder = parts
        (writeOrder, lateToOnes) = try Self.order(objects, name)
        self.objects = Self.withKeyPaths(objects, writeOrder, resolvers)
        let created = objects.flatMap { $0.toOnes + $0.toManys }.compactMap { relationship in
            if case .key(let target) = relationship.target, target.missing == .create { target.slot } else { nil }
        }
        madeSlots = Set(objects.map(\.slot) + created)
        // If a mapping does not change existing objects, an object that is created because a record refers to it must
        // not replace one that an earlier record of the batch creates. And if a mapping is only for existing objects,
        // an earlier record must not find such an object.
        let namesItself = objects.contains { object in
            (object.onMatch == .skip || object.onMatch == .error || object.onMissing != .create) && object.hasKey
                && created.contains(object.slot)
        }
        isSequential =
            namesItself || namesOthers
            || objects.indices.contains { one in
                objects.indices.contains { other in
                    one < other && objects[one].hasKey && objects[other].hasKey
                        && objects[one].table.root == objects[other].table.root
                        && (objects[one].saysMoreThanItsKey || objects[other].saysMoreThanItsKey)
                }
            }
        mirroredParts = objects.map { Self.mirroredParts(of: $0, in: objects) }
        needsReplay = objects.count > 1 || !created.isEmpty
    }

    /// Returns the object mappings with the paths of their keys.
    ///
    /// - Parameter order: their order, in which destinations of the relationships of keys come first.
    private static func withKeyPaths(
        _ objects: [CompiledObject], _ order: [Int], _ resolvers: [CompiledImport.Resolver]
    ) -> [CompiledObject] {
        var objects = objects
        for index in order {
            let object = objects[index]
            objects[index].keyPaths = object.keyAttributes.map { object.attributes[$0].column }
            for position in object.keyRelationships {
                guard let column = object.toOnes[position].column else { continue }
                let paths =
                    switch object.toOnes[position].target {
                    case .key(let target): resolvers[target.resolver].key.parts.map(\.path)
                    case .object(let other): objects[other].keyPaths
                    }
                objects[index].keyPaths += paths.isEmpty ? [column] : paths.map { "\(column).\($0)" }
            }
        }
        return objects
    }

    /// Returns the relationships of an owner whose parts are deleted if it no longer has them. These parts have no key,
    /// and are found through their only owner.
    private static func mirroredParts(of owner: CompiledObject, in objects: [CompiledObject]) -> Set<Int> {
        let relationships = owner.toOnes + owner.toManys
        return Set(
            relationships.indices.filter { slot in
                guard case .object(let part) = relationships[slot].target, !objects[part].hasKey,
                    !relationships[slot].adds,
                    let inverse = relationships[slot].relationship.inverse
                else { return false }
                return !inverse.isToMany && (owner.mirrors || objects[part].mirrors)
            })
    }

    private static func order(
        _ objects: [CompiledObject], _ name: String
    ) throws(ImportPlanError) -> (order: [Int], late: [Set<Int>]) {
        var order: [Int] = []
        var late = [Set<Int>](repeating: [], count: objects.count)
        /// Returns the to-one relationships of an object whose destinations must be written before it.
        func waiting(_ index: Int) -> [Int] {
            objects[index].toOnes.indices.filter { position in
                guard case .object(let other) = objects[index].toOnes[position].target else { return false }
                return !order.contains(other) && !late[index].contains(position)
            }
        }
        /// Returns whether an object has a key, or comes after all objects through which it is found.
        func isBehindOwners(_ index: Int) -> Bool {
            objects[index].hasKey
                || objects.indices.allSatisfy { owner in
                    owner == index || order.contains(owner)
                        || !(objects[owner].toManys + late[owner].map { objects[owner].toOnes[$0] }).contains {
                            relationship in
                            if case .object(index) = relationship.target { true } else { false }
                        }
                }
        }
        for (index, object) in objects.enumerated() {
            for (position, relationship) in object.toOnes.enumerated() {
                guard case .object(let other) = relationship.target else { continue }
                let isFoundThrough =
                    !objects[other].hasKey && object.isFoundWhenWritten
                    && !object.keyRelationships.contains(position)
                if other == index || isFoundThrough { late[index].insert(position) }
            }
        }
        while order.count < objects.count {
            let open = objects.indices.filter { !order.contains($0) }
            let free = open.filter { waiting($0).isEmpty }
            if let next = free.first(where: { isBehindOwners($0) }) ?? free.first {
                order.append(next)
            } else if let index = open.first(where: { index in
                waiting(index).allSatisfy { !objects[index].keyRelationships.contains($0) }
            }) {
                late[index].formUnion(waiting(index))
            } else {
                throw ImportPlanError(
                    .badSetting("to-one relationships in the keys of a record's objects form a cycle"),
                    source: name)
            }
        }
        return (order, late)
    }

    /// The order in which objects are written if none can exist yet: destinations of to-one relationships come first,
    /// otherwise as in `writeOrder`. Nil if the to-one relationships form a cycle; then `writeOrder` applies.
    var orderOfNewObjects: [Int]? {
        var order: [Int] = []
        while order.count < objects.count {
            let next = writeOrder.first { index in
                !order.contains(index)
                    && objects[index].toOnes.allSatisfy { relationship in
                        if case .object(let other) = relationship.target { order.contains(other) } else { true }
                    }
            }
            guard let next else { return nil }
            order.append(next)
        }
        return order
    }

    /// For each object and position, the to-one relationships that are set after all objects of a record, if all objects
    /// are new.
    var lateToOnesOfNewObjects: [Set<Int>] { orderOfNewObjects == nil ? lateToOnes : objects.map { _ in [] } }

    /// Whether several objects of a record are in one table and have source keys with the same number of parts. If objects
    /// have the same source key, the first one counts, in the order of the records.
    var hasSourceKeysOfOneTable: Bool {
        objects.indices.contains { one in
            objects.indices.contains { other in
                one < other && objects[one].table.root == objects[other].table.root
                    && !objects[one].sourceKey.isEmpty
                    && objects[one].sourceKey.count == objects[other].sourceKey.count
            }
        }
    }

    /// Returns an object mapping, the one whose parts contain its parts, and so on.
    func ancestors(of index: Int) -> [Int] {
        var chain = [index]
        while let last = chain.last, let parent = objects[last].parent { chain.append(parent) }
        return chain
    }
}
