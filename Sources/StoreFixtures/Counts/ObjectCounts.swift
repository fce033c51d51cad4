import ManagedObjectModels

/// The number of objects of each entity, and their positions in its table: those of an entity are consecutive.
struct ObjectCounts: Sendable {
    private let model: ResolvedModel
    /// The numbers by slot; 0 for abstract entities.
    private(set) var counts: [Int]
    /// The number of objects before the entity's in its table, by slot.
    private let starts: [Int]

    init(model: ResolvedModel, counts: [Int]) {
        self.model = model
        self.counts = counts
        var starts = [Int](repeating: 0, count: counts.count)
        for root in model.rootSlots {
            var next = 0
            for slot in model.entities[root].subtree {
                starts[slot] = next
                next += counts[slot]
            }
        }
        self.starts = starts
    }

    /// Returns the objects of consecutive entities; none for an empty range.
    func population(_ slots: Range<Int>) -> Population {
        guard let first = slots.first else { return Population(first: 0, count: 0) }
        return Population(first: starts[first], count: slots.reduce(0) { $0 + counts[$1] })
    }

    /// Returns the objects of an entity and its subentities.
    func population(of slot: Int) -> Population { population(model.entities[slot].subtree) }

    /// Returns the entity of an object, by its number in the table of a hierarchy.
    func slot(inTableOf root: Int, number: Int) -> Int {
        let slots = model.entities[root].subtree
        var (low, high) = (slots.lowerBound, slots.upperBound - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= number { low = middle } else { high = middle - 1 }
        }
        // Entities without objects begin where the next one begins.
        while counts[low] == 0 || starts[low] > number, low > slots.lowerBound { low -= 1 }
        return low
    }
}
