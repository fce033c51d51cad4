public import ManagedObjectModels
public import PersistentStores

/// An object of a context: a record of a store, or one that has not been saved yet.
///
/// It is confined to its context: pass its `objectID` or a `snapshot()` to another task. A subclass can override hooks,
/// and define properties with `AttributeKey`, `ToOneKey` and `ToManyKey`; register it for an entity in
/// `ManagedObjectClasses`.
open class ManagedObject {
    /// The context of the object; nil after the context has been deallocated, or has forgotten the object in a
    /// `reset()`.
    public final var managedObjectContext: ManagedObjectContext? { place.context }

    // A program may have millions of objects: all data that objects of an entity share are in their place, and the
    // members of an object fill 56 bytes, which is a size class of the allocator. The place lives as long as objects
    // use it: counting a reference for each object, and for each access, would take longer.
    @exclusivity(unchecked) final private(set) var home: Unmanaged<ObjectPlace>
    /// The primary key.
    @exclusivity(unchecked) final private(set) var number: Int64
    @exclusivity(unchecked) final var row: Int32 = 0
    @exclusivity(unchecked) final var flags: ObjectFlags = []
    /// The same as `block`, retained by the object itself.
    @exclusivity(unchecked) final private(set) var heldBlock: Unmanaged<SnapshotBlock>?
    @exclusivity(unchecked) final var state: ObjectState?

    /// Called by contexts; a subclass has no other initializer.
    public required init(_ seed: ObjectSeed) {
        home = .passUnretained(seed.place)
        number = seed.number
        home._withUnsafeGuaranteedRef { $0.enter() }
    }

    deinit {
        heldBlock?.release()
        home._withUnsafeGuaranteedRef { $0.leave(removing: flags.contains(.registered) ? number : nil) }
    }

    /// The block with the row; nil for an unsaved object, and for a fault whose row has not been read.
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

    /// Gives an unregistered object another key in its context.
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

    /// The entity's description in the model.
    public final var entity: EntityDescription { shape.entity.description }

    /// The ID; temporary until the object is saved, or gets a permanent one from `obtainPermanentIDs`.
    public final var objectID: ManagedObjectID {
        managedObjectContext?.coordinator.objectID(key, shape)
            ?? ManagedObjectID(storeUUID: "", entityName: shape.name, primaryKey: key.key)
    }

    /// Whether the values must be loaded before they can be accessed; they may already be in memory.
    public final var isFault: Bool { !flags.contains(.realized) }

    /// Whether it is new and unsaved.
    public final var isInserted: Bool { flags.contains(.inserted) }

    /// Whether it has changed since it was last saved.
    public final var isUpdated: Bool { flags.contains(.updated) }

    /// Whether the next save will delete it.
    public final var isDeleted: Bool { flags.contains(.deleted) }

    /// Whether a save would write the object: it is new, changed, or to be deleted.
    public final var hasChanges: Bool { !flags.isDisjoint(with: [.inserted, .updated, .deleted]) }

    // MARK: - Hooks

    /// Called once in an object's lifetime, when it has the default values of the model.
    open func awakeFromInsert() {}

    /// Called when a fault has been filled. Attributes that are set here do not count as changes; relationships must
    /// not be set.
    open func awakeFromFetch() {}

    /// Called when the values of the object have changed by an undo, a rollback, a refresh or a merge policy. Transient
    /// values are unchanged, and can be recomputed here, which does not count as a change. Relationships must not be
    /// set.
    open func awakeFromSnapshotEvents(_ events: SnapshotEvents) {}

    /// Called before the object becomes a fault, while its values still exist. It must not change them.
    open func willTurnIntoFault() {}

    /// Called when the object has become a fault.
    open func didTurnIntoFault() {}

    /// Called before a save, when the object has been validated; values that are set with `setPrimitiveValue` are saved
    /// as well.
    open func willSave() {}

    /// Called after a save.
    open func didSave() {}

    /// Called when the object is marked for deletion, before delete rules are applied.
    open func prepareForDeletion() {}

    // MARK: - Hooks of each access

    /// Whether the class observes each access to its objects' properties, which takes time; a context reads it only
    /// once.
    open class var observesAccess: Bool { false }

    /// Called before a property is read by a key or by its name, if the class observes accesses. In this and the hooks
    /// below, a subclass may use only primitive values.
    open func willAccessValue(forKey name: String) {}

    /// Called after a property has been read.
    open func didAccessValue(forKey name: String) {}

    /// Called before a property changes, if the class observes accesses: when it is set, or changes as an inverse or by
    /// an undo. Values read from a store, and primitive values, do not count.
    open func willChangeValue(forKey name: String) {}

    /// Called after a property has changed.
    open func didChangeValue(forKey name: String) {}

    // MARK: - Validation

    /// Validates a new object as a whole; a subclass calls `super`.
    /// - Throws: if the new object must not be saved as it is; its properties have already been validated.
    open func validateForInsert() throws { try validateConsistency() }

    /// Validates a changed object as a whole; a subclass calls `super`.
    /// - Throws: if the changed object must not be saved as it is; its properties have already been validated.
    open func validateForUpdate() throws { try validateConsistency() }

    /// Validates the deletion of the object; a subclass calls `super`.
    /// - Throws: if the object must not be deleted.
    open func validateForDelete() throws {}

    /// Validates the consistency of the values, for inserts and updates; a subclass calls `super`.
    /// - Throws: if the values are inconsistent.
    open func validateConsistency() throws {}
}

extension ManagedObject {
    /// Validates a value for an attribute of the object, as the next save would; does not set the attribute.
    ///
    /// - Parameters:
    ///   - value: the value; a rule of the program may replace it.
    ///   - key: the name of the attribute.
    /// - Throws: `ObjectValidationError`, or any error that a rule of the program throws; `ManagedObjectError` if the
    ///   attribute is unknown, or the object's context no longer exists.
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
