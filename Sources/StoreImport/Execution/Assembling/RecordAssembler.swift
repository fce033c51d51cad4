import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// Assembles a new store: what each record makes is appended at once, and what it names is looked for when all are read.
final class RecordAssembler: SessionStage {
    let assembled: ObjectAssembly
    let conditions: AssemblyConditions

    /// - Parameters:
    ///   - session: whose mappings are prepared.
    ///   - conditions: say that the store can be assembled.
    init(_ session: ImportSession, _ assembled: ObjectAssembly, _ conditions: AssemblyConditions) {
        self.assembled = assembled
        self.conditions = conditions
        super.init(session)
    }

    /// Keeps a record whose links may lead nowhere, where such records are written to files.
    func wait(_ record: Int) {
        if rejects != nil { batchState.waitingRecords.insert(record) }
    }
}
