import ManagedObjectModels
public import PersistentStores

/// A context of objects that a program fetches, makes, changes and deletes, until a save writes the changes to the
/// stores.
///
/// There is one object for each record. A context and its objects are confined to the task or actor that made the
/// context, which the compiler enforces; `ContextActor` has a context of its own, and other tasks get IDs and
/// snapshots. The context keeps only changed objects alive: others are released when the program releases them.
public final class ManagedObjectContext {
    /// The coordinator whose stores the context reads, and saves to unless it has a parent.
    public let coordinator: PersistentStoreCoordinator

    /// The context that receives saves; nil for a context that saves to the stores.
    public let parent: ManagedObjectContext?

    /// The limits of the context.
    public let limits: ContextLimits

    /// What a save does with objects that were changed elsewhere since they were read.
    public var mergePolicy = MergePolicy.error

    /// A custom merge policy for objects that were changed elsewhere. A save calls it with the conflicts, and it
    /// returns resolutions by object ID; objects without one follow `mergePolicy`.
    ///
    /// It receives all conflicts at once, and is called again if its resolutions lead to others. The stores are locked
    /// meanwhile, so it must not use the context. If it throws, the save fails with its error, and nothing is written.
    public var resolvesConflicts: ((_ conflicts: [MergeConflict]) throws -> [ManagedObjectID: MergeResolution])?

    /// A custom merge policy for uniqueness constraints. A save calls it for objects that would violate one; conflicts
    /// without a resolution follow `mergePolicy`.
    ///
    /// If a resolution has values, the one object that `mergeByPropertyObjectTrump` would keep remains, and gets them.
    /// The rules of `resolvesConflicts` apply here as well.
    public var resolvesConstraintConflicts:
        ((_ conflicts: [ConstraintConflict]) throws -> [ConstraintConflict: MergeResolution])?

    /// The name of the context, which persistent history records with its saves; nil for none.
    public var name: String?

    /// The author of the saves for persistent history; nil for "ferry". A reader of the history can leave out its own
    /// transactions.
    public var transactionAuthor: String?

    /// The undo manager; nil for none, which saves work if nothing is ever undone.
    public var undoManager: ContextUndoManager? {
        didSet { undoManager?.context = self }
    }

    /// Whether the context keeps all its objects alive.
    public var retainsRegisteredObjects = false {
        didSet {
            retained = ObjectList()
            if retainsRegisteredObjects { registry.objects.forEach { retained.append($0) } }
        }
    }

    /// The first error of an access that could not throw it; the next save throws it. A rollback or reset clears it.
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
    /// The changes since the last announcement.
    var unannounced = ChangeSet()
    /// A number that increases with every change.
    var changeStamp = 0
    /// Whether changes come from a hook whose changes are not recorded.
    @exclusivity(unchecked) var isAwaking = false
    /// The prefetched rows.
    @exclusivity(unchecked) var rows: KnownRows
    let announcements = Announcements()
    /// The changes that others have saved; nil without automatic merging.
    var savedElsewhere: SavedElsewhere?
    /// The stores whose history the context follows, by their numbers.
    var histories: [Int: FollowedHistory] = [:]
    var isSaving = false
    var children: [WeakContext] = []

    @exclusivity(unchecked) private(set) var source: any ObjectSource = NoSource()

    var model: ObjectModel { coordinator.objects }

    /// Makes a context that saves to the stores of a coordinator.
    public init(_ coordinator: PersistentStoreCoordinator, limits: ContextLimits = ContextLimits()) {
        self.coordinator = coordinator
        self.limits = limits
        rows = KnownRows(limit: limits.knownRows)
        parent = nil
        source = StoreSource(coordinator, limits)
    }

    /// Makes a child context that saves to another context, in the same task or actor.
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

    /// Whether there are changes to save.
    public var hasChanges: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }

    /// New objects, in the order of their creation.
    public var insertedObjects: [ManagedObject] { inserted.objects }

    /// Changed objects, in the order of their first change.
    public var updatedObjects: [ManagedObject] { updated.objects }

    /// Objects to be deleted, without new objects that were deleted.
    public var deletedObjects: [ManagedObject] { deleted.objects }

    /// All objects that the context has at the moment, including faults.
    public var registeredObjects: [ManagedObject] { registry.objects }

    /// How often the stores were read: by fetches, and for the rows or links of faults.
    public var storeReadCount: Int { source.readCount }

    // MARK: - Objects by their IDs

    /// Returns the object with an ID; nil if the context does not have it. The store is not read.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
        coordinator.key(of: id).flatMap { registry[$0] }
    }

    /// Returns the object with an ID, as a fault if the context does not have it; whether it exists is not checked.
    ///
    /// - Throws: `ManagedObjectError` for an ID of another store or coordinator; `StoreError` if the store cannot be
    ///   read.
    public func object(with id: ManagedObjectID) throws -> ManagedObject {
        guard let key = coordinator.key(of: id) else { throw ManagedObjectError(.objectNotFound(id)) }
        if let known = registry[key] { return known }
        // Only the store knows the object's actual entity.
        if model.shapes[Int(key.entity)].entity.hasSubentities, let found = try source.find(key) {
            return object(found)
        }
        return object(key)
    }

    /// Returns the existing object with an ID, filled with its values.
    ///
    /// - Throws: `ManagedObjectError` with code `objectNotFound`, 133000, if the object does not exist, or is deleted;
    ///   `StoreError` if the store cannot be read.
    public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
        let object = try object(with: id)
        guard !object.isDeleted else { throw ManagedObjectError(.objectNotFound(id)) }
        try realize(object)
        return object
    }

    // MARK: - Registration

    /// Returns the object with a key: the registered one, or a new fault.
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

    /// Removes an object from the registry; it keeps its context.
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

/// A weak reference from a parent to a child context.
struct WeakContext {
    weak var context: ManagedObjectContext?
}
