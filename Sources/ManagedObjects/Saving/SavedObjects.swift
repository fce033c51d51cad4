/// The objects that a save has written.
struct SavedObjects {
    var inserted: [ManagedObject] = []
    var updated: [ManagedObject] = []
    var deleted: [ManagedObject] = []
    /// Why other objects were not saved.
    var failure: IncompleteSaveError?

    init() {}

    /// Lists the objects that a context is about to write.
    init(_ context: ManagedObjectContext) {
        inserted = context.inserted.objects
        updated = context.updated.objects
        deleted = context.deleted.objects
    }

    func filtered(_ isIncluded: (ManagedObject) -> Bool) -> SavedObjects {
        var result = self
        result.inserted = inserted.filter(isIncluded)
        result.updated = updated.filter(isIncluded)
        result.deleted = deleted.filter(isIncluded)
        return result
    }

    var all: [ManagedObject] { inserted + updated + deleted }
}
