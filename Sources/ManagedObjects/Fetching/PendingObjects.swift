import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching

/// The changed objects of a context that concern a request, for which the stores cannot decide whether they are
/// results.
struct PendingObjects {
    /// The new and changed objects that satisfy the predicate.
    private(set) var matching: [ManagedObject] = []
    private var excluded: Set<ObjectIdentifier> = []

    var isEmpty: Bool { excluded.isEmpty && matching.isEmpty }

    /// The number of objects in the stores that are not results because of their changes.
    var count: Int { excluded.count }

    init(
        _ request: FetchRequest, _ shape: EntityShape, _ context: ManagedObjectContext, includes isIncluded: Bool
    ) throws {
        guard isIncluded else { return }
        try context.propagateDeletions()
        guard context.hasChanges || !context.discarded.isEmpty else { return }
        func isMeant(_ object: ManagedObject) -> Bool {
            let slot = object.shape.entity.slot
            return request.includesSubentities ? shape.entity.subtree.contains(slot) : shape.entity.slot == slot
        }
        let new = context.inserted.objects.filter(isMeant)
        let changed = context.updated.objects.filter(isMeant)
        excluded = Set((changed + context.deleted.objects.filter(isMeant)).map(ObjectIdentifier.init))
        // To a parent, objects that are new here and were saved to it are new objects.
        excluded.formUnion(context.discarded.objects.filter(isMeant).map(ObjectIdentifier.init))
        let candidates = changed + new
        guard !candidates.isEmpty else { return }
        guard let predicate = request.predicate?.substituting(request.variables) else {
            matching = candidates
            return
        }
        let matches = try ObjectMatching(predicate, shape, in: context)
        matching = try candidates.filter { try matches.holds(for: $0) }
    }

    func excludes(_ object: ManagedObject) -> Bool { excluded.contains(ObjectIdentifier(object)) }
}
