import ManagedObjectModels

/// The shared data of the objects of one entity in one table, to which each object has a single reference.
final class ObjectPlace {
    /// nil after the context has been deallocated, or has forgotten its objects; the context sets it to nil itself,
    /// since weak and counted references are slower.
    @exclusivity(unchecked) unowned(unsafe) var context: ManagedObjectContext?
    let shape: EntityShape
    /// The number of the table.
    let table: Int32
    /// The slot of the entity.
    let entity: Int32
    /// The objects of the table that the context knows, including those of other entities.
    let objects: ObjectTable
    /// Whether the class has no hooks that are called when a fault gets its values.
    let isPlain: Bool
    /// Whether the class observes each access.
    let observesAccess: Bool
    /// The slots of recently accessed attributes.
    @exclusivity(unchecked) var slots = SlotCache()
    /// The number of objects with this place.
    @exclusivity(unchecked) private var population = 0

    init(_ context: ManagedObjectContext, _ shape: EntityShape, table: Int32, _ objects: ObjectTable) {
        let type = context.coordinator.types[shape.entity.slot]
        isPlain = type == ManagedObject.self
        observesAccess = type.observesAccess
        self.context = context
        self.shape = shape
        self.table = table
        entity = Int32(truncatingIfNeeded: shape.entity.slot)
        self.objects = objects
    }

    /// Adds an object. The place lives at least as long as its objects, independently of the context: the first object
    /// retains it for all.
    func enter() {
        if population == 0 { _ = Unmanaged.passRetained(self) }
        population += 1
    }

    /// Removes an object.
    ///
    /// - Parameter number: the primary key under which it is registered in the table; nil for an object that is not
    ///   registered.
    func leave(removing number: Int64? = nil) {
        if let number { objects.remove(number) }
        population -= 1
        if population == 0 { Unmanaged.passUnretained(self).release() }
    }
}
