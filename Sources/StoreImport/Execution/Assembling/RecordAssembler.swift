import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// The stage of an import that assembles a new store. The objects of each record are appended immediately, and the
/// objects that it names are looked up after all records have been read.
final class RecordAssembler: SessionStage {
    let assembled: ObjectAssembly
    let conditions: AssemblyConditions

    /// - Parameters:
    ///   - session: the session of the import, whose mappings are prepared.
    ///   - assembled: the assembly of the store.
    ///   - conditions: the conditions, which have been met.
    init(_ session: ImportSession, _ assembled: ObjectAssembly, _ conditions: AssemblyConditions) {
        self.assembled = assembled
        self.conditions = conditions
        super.init(session)
    }

    /// Keeps a record whose links may have no destination, if such records are written to files.
    func wait(_ record: Int) {
        if rejects != nil { batchState.waitingRecords.insert(record) }
    }
}
