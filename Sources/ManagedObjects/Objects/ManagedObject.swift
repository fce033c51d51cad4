public import ManagedObjectModels
public import PersistentStores

/// An object of a context: a record of a store, or one that is to become such.
///
/// It belongs to its context, and goes nowhere else: what crosses to another task is its `objectID`, or a `snapshot()`.
/// A subclass has hooks, and properties over `AttributeKey`, `ToOneKey` and `ToManyKey`; `ManagedObjectClasses` says
/// for which entity it is.
open class ManagedObject {
    /// The context of the object; nil once the context is gone, or has forgotten the object in a `reset()`.
    public final var managedObjectContext: ManagedObjectContext? { place.context }

    // A million objects are not many: all that objects of an entity have in common is in their place, and the members
    // of an object fill 56 bytes, which the allocator has a size for.
    // The place stays as long as objects are in it: to count the reference of each, and of each access, takes longer.
    @exclusivity(unchecked) final private(set) var home: Unmanaged<ObjectPlace>
    /// The primary key.
    @exclusivity(unchecked) final private(set) var number: Int64
    @exclusivity(unchecked) final var row: Int32 = 0
    @exclusivity(unchecked) final var flags: ObjectFlags = []
    /// What `block` has, which the object holds itself.
    @exclusivity(unchecked) final private(set) var heldBlock: Unmanaged<SnapshotBlock>?
    @exclusivity(unchecked) final var state: ObjectState?

    /// Contexts call it; a subclass has no other initializer.
    public required init(_ seed: ObjectSeed) {
        home = .passUnretained(seed.place)
        number = seed.number
        home._withUnsafeGuaranteedRef { $0.enter() }
    }

    deinit {
        heldBlock?.release()
        home._withUnsafeGuaranteedRef { $0.leave(removing: flags.contains(.registered) ? number : nil) }
    }

    /// The row; nil for an object that is not saved, and for a fault whose row was not read.
    final var block: SnapshotBlock? {
        get { heldBlock?.takeUnretainedValue() }
        set {
            let old = heldBlock
            heldBlock = newValue.map { .passRetained($0) }
            old?.release()
        }
    }

    final var place: ObjectPlace { home.takeUnretainedValue() }

    final var shape: EntityShape { place.shape }

    final var key: ObjectKey { ObjectKey(table: place.table, entity: place.entity, key: number) }

    /// Gives an object that is not registered another key in its context.
    final func take(_ new: ObjectKey, in context: ManagedObjectContext) {
        let left = place
        home = .passUnretained(context.registry.place(shape, table: new.table, of: context))
        place.enter()
        left.leave()
        number = new.key
    }

    // MARK: - What it is

    /// The name of the object's entity.
    public final var entityName: String { shape.name }

    /// The entity as the model describes it.
    public final var entity: EntityDescription { shape.entity.description }

    /// The ID; a temporary one until the object is saved, or has got a permanent one from `obtainPermanentIDs`.
    public final var objectID: ManagedObjectID {
        managedObjectContext?.coordinator.objectID(key, shape)
            ?? ManagedObjectID(storeUUID: "", entityName: shape.name, primaryKey: key.key)
    }

    /// Whether its values would have to be read before they can be seen; they may be in memory all the same.
    public final var isFault: Bool { !flags.contains(.realized) }

    /// Whether it is new, and not saved.
    public final var isInserted: Bool { flags.contains(.inserted) }

    /// Whether something of it has changed since it was saved.
    public final var isUpdated: Bool { flags.contains(.updated) }

    /// Whether it is to be deleted by the next save.
    public final var isDeleted: Bool { flags.contains(.deleted) }

    /// Whether a save would write the object: it is new, changed, or to be deleted.
    public final var hasChanges: Bool { !flags.isDisjoint(with: [.inserted, .updated, .deleted]) }

    // MARK: - Hooks

    /// Called once in the life of an object, when it has the default values of the model.
    open func awakeFromInsert() {}

    /// Called when a fault has got its values. What is set here does not count as a change; relationships must not be.
    open func awakeFromFetch() {}

    /// Called when the object has got other values without being asked: by an undo, a rollback, a refresh or a merge
    /// policy. Values that are not stored keep what they were, and can be made again here; it does not count as a change.
    /// Relationships must not be set.
    open func awakeFromSnapshotEvents(_ events: SnapshotEvents) {}

    /// Called before the object becomes a fault, when its values are still there. It must not change them.
    open func willTurnIntoFault() {}

    /// Called when the object has become a fault.
    open func didTurnIntoFault() {}

    /// Called before a save, when the object has been validated; what is set with `setPrimitiveValue` is saved as well.
    open func willSave() {}

    /// Called after a save.
    open func didSave() {}

    /// Called when the object is marked for deletion, before the delete rules are followed.
    open func prepareForDeletion() {}

    // MARK: - Hooks of each access

    /// Whether objects of the class hear of each access to their properties, which takes time; asked once by a context.
    open class var observesAccess: Bool { false }

    /// Called before a property is read by a key or by its name, where the class observes that; a subclass reads and sets
    /// primitive values only, here and in the hooks below.
    open func willAccessValue(forKey name: String) {}

    /// Called after a property was read.
    open func didAccessValue(forKey name: String) {}

    /// Called before a property changes, where the class observes that: when it is set, or follows as an inverse or by an
    /// undo. What a store gives, and primitive values, do not count.
    open func willChangeValue(forKey name: String) {}

    /// Called after a property has changed.
    open func didChangeValue(forKey name: String) {}

    // MARK: - Validation

    /// Validates a new object as a whole; a subclass calls `super`.
    /// - Throws: if the object, which is new, must not be saved as it is; the properties have been validated by then.
    open func validateForInsert() throws { try validateConsistency() }

    /// Validates a changed object as a whole; a subclass calls `super`.
    /// - Throws: if the object, which has changed, must not be saved as it is; the properties have been validated by
    ///   then.
    open func validateForUpdate() throws { try validateConsistency() }

    /// Validates the deletion of the object; a subclass calls `super`.
    /// - Throws: if the object must not be deleted.
    open func validateForDelete() throws {}

    /// Validates what inserts and updates have in common; a subclass calls `super`.
    /// - Throws: if the values do not go together: what inserts and updates have in common.
    open func validateConsistency() throws {}
}

extension ManagedObject {
    /// Validates a value for an attribute of the object, as the next save would; the attribute is not set.
    ///
    /// - Parameters:
    ///   - value: the value; a rule of the program may put another one in its place.
    ///   - key: the name of the attribute.
    /// - Throws: `ObjectValidationError`, or what a rule of the program throws; `ManagedObjectError` if the attribute is
    ///   not there, or the object's context is gone.
    public final func validate(_ value: inout AttributeValue?, forKey key: String) throws {
        value = try requiredContext().validated(value, forKey: key, of: self)
    }
}

extension ManagedObject: Hashable {
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(*, unavailable)
extension ManagedObject: Sendable {}
