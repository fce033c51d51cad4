import ManagedObjectModels

/// Where the objects of one entity in one table belong: what they share, in one reference of each.
final class ObjectPlace {
    /// nil once the context is gone, or has forgotten its objects; it says so itself before anything else: a weak
    /// reference takes longer to follow, and one that counts as well.
    @exclusivity(unchecked) unowned(unsafe) var context: ManagedObjectContext?
    let shape: EntityShape
    /// The number of the table.
    let table: Int32
    /// The slot of the entity.
    let entity: Int32
    /// The objects of the table that the context knows, also those of other entities.
    let objects: ObjectTable
    /// Whether objects have no hooks that a fault would have to call when it gets its values.
    let isPlain: Bool
    /// Whether objects hear of each access.
    let observesAccess: Bool
    /// Attributes that were asked for lately.
    @exclusivity(unchecked) var slots = SlotCache()
    /// How many objects belong here.
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

    /// Takes an object in. The place stays at least as long as it has objects, whatever becomes of the context: the first
    /// one holds it for all.
    func enter() {
        if population == 0 { _ = Unmanaged.passRetained(self) }
        population += 1
    }

    /// Lets an object go.
    ///
    /// - Parameter number: the primary key under which the table knows it; nil for an object that is not registered.
    func leave(removing number: Int64? = nil) {
        if let number { objects.remove(number) }
        population -= 1
        if population == 0 { Unmanaged.passUnretained(self).release() }
    }
}
