import ManagedObjectModels
import PersistentStores

/// A stored relationship with its inverse, and its requirements on the numbers of objects.
struct LinkRule: Sendable {
    enum Kind: Sendable {
        /// A to-one key; the second side has no to-one key for it.
        case toOne
        /// Two to-one keys.
        case oneToOne
        /// A join table.
        case manyToMany
        /// A join table that has every link in both directions.
        case reflexive
    }

    let kind: Kind
    /// The name, `Entity.relationship`.
    let name: String
    /// The objects with the key; for a join table, those with the relationship that it is named after.
    let first: RelationshipSide
    let second: RelationshipSide
    /// The relationship of the first side; for a to-many without an inverse, that of the second.
    let key: PropertyKey
    /// The to-one key of the second side.
    let inverseKey: PropertyKey?
    /// Whether the key is in the destination's row, for a to-many without an inverse.
    var isUnidirectional = false

    /// Whether both sides have the same objects.
    var isWithinOneEntity: Bool { first.slots == second.slots }

    func adjust(_ solver: inout CountSolver) {
        switch kind {
        case .toOne: adjustToOne(&solver)
        case .oneToOne: adjustOneToOne(&solver)
        case .manyToMany: adjustManyToMany(&solver)
        case .reflexive: adjustReflexive(&solver)
        }
    }

    private func adjustToOne(_ solver: inout CountSolver) {
        let (least, most) = (second.minimum, second.maximum ?? .max)
        if second.isRequired {
            let needed = solver.count(second.slots).saturatingProduct(least)
            if !solver.raise(first.slots, to: needed, "\(name) needs so many of them") {
                solver.lower(
                    second.slots, to: solver.count(first.slots) / least, "\(name) needs more objects than there can be")
            }
        }
        let (children, parents) = (solver.count(first.slots), solver.count(second.slots))
        guard first.isRequired, children > 0 else { return }
        let needed = children / most + (children % most == 0 ? 0 : 1)
        if !solver.raise(second.slots, to: max(1, needed), "\(name) needs so many of them") {
            solver.lower(
                first.slots, to: parents.saturatingProduct(most), "\(name) leads to fewer objects than are needed")
        }
        let left = solver.count(first.slots)
        let groups = left / least
        if !second.isRequired, left > 0, left.saturatingProduct(1) > groups.saturatingProduct(most) {
            // Objects that do not fit into a group of the minimum size have no place.
            let fitting = min(left, groups.saturatingProduct(most))
            if fitting == 0, solver.raise(first.slots, to: least, "\(name) needs so many of them") { return }
            solver.lower(first.slots, to: fitting, "\(name) has no place for more")
        }
    }

    private func adjustOneToOne(_ solver: inout CountSolver) {
        for (one, other) in [(first, second), (second, first)] where one.isRequired && !isWithinOneEntity {
            let needed = solver.count(one.slots)
            if !solver.raise(other.slots, to: needed, "\(name) needs so many of them") {
                solver.lower(one.slots, to: solver.count(other.slots), "\(name) leads to fewer objects than are needed")
            }
        }
    }

    private func adjustManyToMany(_ solver: inout CountSolver) {
        guard first.isRequired || second.isRequired else { return }
        let (a, b) = (solver.count(first.slots), solver.count(second.slots))
        guard first.isRequired && a > 0 || second.isRequired && b > 0,
            ManyToManyLinks.plan(self, a, b) == nil
        else { return }
        let reason = "\(name) needs so many of them"
        var isRaised = false
        for (one, other) in [(first, second), (second, first)] where one.isRequired && solver.count(one.slots) > 0 {
            let links = solver.count(one.slots).saturatingProduct(one.minimum)
            let most = other.maximum ?? .max
            let needed = max(one.minimum, links / most + (links % most == 0 ? 0 : 1))
            if solver.count(other.slots) < needed, solver.raise(other.slots, to: needed, reason) { isRaised = true }
        }
        guard !isRaised else { return }
        for end in [first, second] where end.isRequired {
            solver.lower(end.slots, to: 0, "no number of links satisfies \(name)")
        }
    }

    private func adjustReflexive(_ solver: inout CountSolver) {
        let count = solver.count(first.slots)
        guard first.isRequired, count > 0, ReflexiveLinks.degree(self, count) == nil else { return }
        let needed = max(count + 1, first.minimum.addingSaturated(1))
        if solver.raise(first.slots, to: needed, "\(name) needs so many of them") { return }
        if count > first.minimum.addingSaturated(1) {
            solver.lower(first.slots, to: count - 1, "\(name) has no place for more")
        } else {
            solver.lower(first.slots, to: 0, "no number of links satisfies \(name)")
        }
    }
}
