import ManagedObjectModels

/// The changes of one undo step, in order. Several values of one attribute count as one change.
struct UndoGroup {
    private struct Place: Hashable {
        let object: ObjectIdentifier
        let slot: Int
    }

    /// The content of a deleted object, in case its deletion is saved before the undo.
    struct Remains {
        let block: SnapshotBlock?
        let row: Int32
        let attributes: SlotMap<AttributeValue?>
        /// The destinations of to-one relationships, including the links to owners.
        var toOnes: [(slot: Int, key: ObjectKey)]
    }

    private(set) var actions: [ChangeAction] = []
    private(set) var remains: [ObjectIdentifier: Remains] = [:]
    private var places: [Place: Int] = [:]

    var isEmpty: Bool { actions.isEmpty }

    mutating func append(_ action: ChangeAction) {
        switch action {
        case .attribute(let object, let slot, _, let new):
            let place = Place(object: ObjectIdentifier(object), slot: slot)
            if let known = places[place], case .attribute(_, _, let first, _) = actions[known] {
                actions[known] = .attribute(object, slot, old: first, new: new)
                return
            }
            places[place] = actions.count
        case .deletion(let object, _):
            places = [:]
            let toOnes = object.shape.toOnes.indices.compactMap { slot in
                ((try? object.toOneKey(slot)) ?? nil).map { (slot: slot, key: $0) }
            }
            remains[ObjectIdentifier(object)] = Remains(
                block: object.block, row: object.row, attributes: object.state?.attributes ?? SlotMap(), toOnes: toOnes)
        default: break
        }
        actions.append(action)
    }

    mutating func append(_ group: UndoGroup) {
        for action in group.actions { append(action) }
        remains.merge(group.remains) { $1 }
    }

    mutating func replaceKeys(_ keys: [ObjectKey: ObjectKey]) {
        actions = actions.map { $0.replacingKeys(keys) }
        for (id, left) in remains {
            remains[id]?.toOnes = left.toOnes.map { ($0.slot, keys[$0.key] ?? $0.key) }
        }
    }
}
