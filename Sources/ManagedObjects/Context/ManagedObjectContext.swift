import ManagedObjectModels
public import PersistentStores

/// Objects that a program works on: what it fetches, makes, changes and deletes, until a save writes it to the stores.
///
/// There is one object for each record. A context and its objects stay in the task or actor that made it, which the
/// compiler sees to; `ContextActor` has one, and what crosses are IDs and snapshots. Objects that have not changed are
/// not held: they go when the program lets go of them.
public final class ManagedObjectContext {
    /// The coordinator whose stores the context reads, and saves to unless it has a parent.
    public let coordinator: PersistentStoreCoordinator

    /// The context that saves go to; nil for one that saves to the stores.
    public let parent: ManagedObjectContext?

    /// How much the context takes at once.
    public let limits: ContextLimits

    /// What a save does about objects that somebody else has changed.
    public var mergePolicy = MergePolicy.error

    /// A merge policy of the program's own: asked by a save for what becomes of objects that somebody else has changed,
    /// by their IDs; objects that are not in its answer follow `mergePolicy`.
    ///
    /// It gets all conflicts at once, and again where what it has said leads to others. The stores are locked meanwhile:
    /// it must not use the context, and what it throws ends the save, which has written nothing then.
    public var resolvesConflicts: ((_ conflicts: [MergeConflict]) throws -> [ManagedObjectID: MergeResolution])?

    /// A merge policy of the program's own for uniqueness constraints: asked by a save for what becomes of objects that
    /// would be equal; conflicts that are not in its answer follow `mergePolicy`.
    ///
    /// With values, one object is left, the one that `mergeByPropertyObjectTrump` would leave, and has them. What holds
    /// for `resolvesConflicts` holds here as well.
    public var resolvesConstraintConflicts:
        ((_ conflicts: [ConstraintConflict]) throws -> [ConstraintConflict: MergeResolution])?

    /// The name of the context, which persistent history has beside its saves; nil for none.
    public var name: String?

    /// Who saves, for persistent history; nil for "ferry". Whoever reads the history can leave out what it has written
    /// itself.
    public var transactionAuthor: String?

    /// What takes changes back; nil for none, which saves the work where no one will undo anything.
    public var undoManager: ContextUndoManager? {
        didSet { undoManager?.context = self }
    }

    /// Whether objects stay as long as the context.
    public var retainsRegisteredObjects = false {
        didSet {
            retained = ObjectList()
            if retainsRegisteredObjects { registry.objects.forEach { retained.append($0) } }
        }
    }

    /// The first error of an access that could not throw it; the next save does. A rollback or reset forgets it.
    public internal(set) var accessError: (any Error)?

    let registry = Registry()
    var retained = ObjectList()
    var inserted = ObjectList()
    var updated = ObjectList()
    var deleted = ObjectList()
    /// New objects that were deleted before they were saved.
    var discarded = ObjectList()
    /// Deleted objects whose delete rules have not been followed yet.
    var undeleted: [ManagedObject] = []
    /// The stores that new objects were assigned to.
    var assignments: [ObjectIdentifier: PersistentStore] = [:]
    /// What has changed since it was announced last.
    var unannounced = ChangeSet()
    /// Rises with every change.
    var changeStamp = 0
    /// Whether changes are those of a hook that must not count.
    @exclusivity(unchecked) var isAwaking = false
    /// Rows that were prefetched.
    @exclusivity(unchecked) var rows: KnownRows
    let announcements = Announcements()
    /// What others have saved; nil if the context does not take it over by itself.
    var savedElsewhere: SavedElsewhere?
    /// The stores, by their numbers, whose history the context takes over by itself.
    var histories: [Int: FollowedHistory] = [:]
    var isSaving = false
    var children: [WeakContext] = []

    @exclusivity(unchecked) private(set) var source: any ObjectSource = NoSource()

    var model: ObjectModel { coordinator.objects }

    /// A context that saves to the stores of a coordinator.
    public init(_ coordinator: PersistentStoreCoordinator, limits: ContextLimits = ContextLimits()) {
        self.coordinator = coordinator
        self.limits = limits
        rows = KnownRows(limit: limits.knownRows)
        parent = nil
        source = StoreSource(coordinator, limits)
    }

    /// A context whose saves go to another one, in the same task or actor.
    public init(parent: ManagedObjectContext) {
        coordinator = parent.coordinator
        limits = parent.limits
        rows = KnownRows(limit: limits.knownRows)
        self.parent = parent
        source = ParentSource(parent)
        parent.children.append(WeakContext(context: self))
    }

    deinit {
        registry.removeAll()
        announcements.finish()
    }

    // MARK: - What has changed

    /// Whether a save would do something.
    public var hasChanges: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }

    /// New objects, in the order in which they were made.
    public var insertedObjects: [ManagedObject] { inserted.objects }

    /// Changed objects, in the order in which they were changed first.
    public var updatedObjects: [ManagedObject] { updated.objects }

    /// Objects to be deleted; new ones that were deleted are not among them.
    public var deletedObjects: [ManagedObject] { deleted.objects }

    /// All objects that the context has at the moment, faults included.
    public var registeredObjects: [ManagedObject] { registry.objects }

    /// How often the stores were read: fetches, and reading the rows or links of faults.
    public var storeReadCount: Int { source.readCount }

    // MARK: - Objects by their IDs

    /// The object with an ID; nil if the context does not have it. The store is not asked.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
        coordinator.key(of: id).flatMap { registry[$0] }
    }

    /// The object with an ID, as a fault if the context does not have it: no one has looked whether it is there.
    ///
    /// - Throws: `ManagedObjectError` for an ID of another store or coordinator; `StoreError` if the store cannot be
    ///   read.
    public func object(with id: ManagedObjectID) throws -> ManagedObject {
        guard let key = coordinator.key(of: id) else { throw ManagedObjectError(.objectNotFound(id)) }
        if let known = registry[key] { return known }
        // Which entity the object is of, only the store knows.
        if model.shapes[Int(key.entity)].entity.hasSubentities, let found = try source.find(key) {
            return object(found)
        }
        return object(key)
    }

    /// The object with an ID, which is there, with its values.
    ///
    /// - Throws: `ManagedObjectError` with code `objectNotFound`, 133000, if there is no such object, or it is deleted;
    ///   `StoreError` if the store cannot be read.
    public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
        let object = try object(with: id)
        guard !object.isDeleted else { throw ManagedObjectError(.objectNotFound(id)) }
        try realize(object)
        return object
    }

    // MARK: - Registration

    /// The object with a key: the one that is there, or a new fault.
    func object(_ key: ObjectKey) -> ManagedObject {
        if let known = registry[key] { return known }
        let object = make(model.shapes[Int(key.entity)], key)
        if let known = rows.take(key) { (object.block, object.row) = known }
        return object
    }

    func make(_ shape: EntityShape, _ key: ObjectKey) -> ManagedObject {
        let type = coordinator.types[shape.entity.slot]
        let place = registry.place(shape, table: key.table, of: self)
        let object = type.init(ObjectSeed(place: place, number: key.key))
        register(object)
        return object
    }

    func register(_ object: ManagedObject) {
        object.flags.insert(.registered)
        registry.insert(object)
        if retainsRegisteredObjects { retained.append(object) }
    }

    /// Takes an object out; it keeps its context.
    func unregister(_ object: ManagedObject) {
        registry.remove(object)
        object.flags.remove(.registered)
        retained.remove(object)
    }

    func note(_ error: any Error) { accessError = accessError ?? error }

    func check(_ object: ManagedObject) throws(ManagedObjectError) {
        guard let context = object.managedObjectContext else {
            throw ManagedObjectError(.contextMissing(entity: object.shape.name))
        }
        guard context === self else { throw ManagedObjectError(.foreignObject(object.objectID)) }
    }
}

@available(*, unavailable)
extension ManagedObjectContext: Sendable {}

/// A child context, as its parent knows it.
struct WeakContext {
    weak var context: ManagedObjectContext?
}
