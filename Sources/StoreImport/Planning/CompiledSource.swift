import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources

/// A source mapping made ready for a loop: names resolved into slots.
struct CompiledSource {
    let name: String
    let filter: CompiledFilter?
    let objects: [CompiledObject]
    /// The entities of the objects that its records make, or that are made because a record names them.
    let madeSlots: Set<Int>
    /// The order in which objects are written: what a to-one leads to comes first.
    let writeOrder: [Int]
    /// By object and position, the to-ones that are written when all objects are there: because they lead round in a
    /// circle, or to what is found through an object that is found itself only when it is written.
    let lateToOnes: [Set<Int>]
    /// The order in which the parts of a record are found: parts of parts come behind them.
    let conversionOrder: [Int]
    /// Whether a record can be rejected when others of its objects are written: then a batch is undone and done again.
    let needsReplay: Bool
    /// Whether several mappings make objects that have the same key, or name each other's by key, or records are skipped
    /// that name objects of their own entity, so that it matters which record comes first: then records are written one by
    /// one.
    let isSequential: Bool
    /// By object, the relationships, to-ones first, whose parts are deleted where their owner has them no more.
    let mirroredParts: [Set<Int>]
    /// The paths of its fields, where somebody wrote them and they must lead somewhere; nil for a flat source.
    var watchedPaths: [RecordPath]?

    /// Whether a record may have no field where others have one.
    var mayLackFields = false

    /// - Parameter namesOthers: whether an object of a record names another one's by its key.
    /// - Throws: `ImportPlanError` where to-ones of keys lead round in a circle.
    init(
        name: String, filter: CompiledFilter?, objects: [CompiledObject], namesOthers: Bool = false
    ) throws(ImportPlanError) {
        self.name = name
        self.filter = filter
        self.objects = objects
        var parts: [Int] = []
        // The mapping's reader refuses parts that lie in themselves; whatever is left then is in no part.
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
        let created = objects.flatMap { $0.toOnes + $0.toManys }.compactMap { relationship in
            if case .key(let target) = relationship.target, target.missing == .create { target.slot } else { nil }
        }
        madeSlots = Set(objects.map(\.slot) + created)
        // An object that a record names, and that is made then, must not take the place of one that an earlier record of
        // the batch makes, where what is there already is not changed.
        let namesItself = objects.contains { object in
            (object.onMatch == .skip || object.onMatch == .error) && object.hasKey && created.contains(object.slot)
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

    /// Parts without a key are found through their owner, and have no other one.
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
        /// The to-ones of an object that keep it from being written next.
        func waiting(_ index: Int) -> [Int] {
            objects[index].toOnes.indices.filter { position in
                guard case .object(let other) = objects[index].toOnes[position].target else { return false }
                return !order.contains(other) && !late[index].contains(position)
            }
        }
        /// Whether what has no key comes behind the objects that it is found through.
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

    /// The order in which objects are written where none can be there before: what a to-one leads to comes first, else that
    /// of `writeOrder`. nil if to-ones lead round in a circle.
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

    /// An object mapping, the one in whose parts its parts lie, and so on.
    func ancestors(of index: Int) -> [Int] {
        var chain = [index]
        while let last = chain.last, let parent = objects[last].parent { chain.append(parent) }
        return chain
    }
}
