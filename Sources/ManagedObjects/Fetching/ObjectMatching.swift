import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching

/// A predicate over objects of one entity with their values in the context, compiled once.
struct ObjectMatching {
    private let program: PredicateProgram
    private let names: [String]
    private let context: ManagedObjectContext
    private let now = ReferenceDate.now

    init(_ predicate: Predicate, _ shape: EntityShape, in context: ManagedObjectContext) throws {
        var names = LiveNames(context.coordinator, shape)
        program = try predicate.namingObjects(in: context.model.resolved)
            .understandingTexts(of: shape.entity.slot, in: context.model.resolved)
            .compile(resolving: &names)
        self.names = names.names
        self.context = context
    }

    func holds(for object: ManagedObject) throws -> Bool {
        try program.matches(in: LiveObject(object, in: context, names: names, now: now))
    }
}
