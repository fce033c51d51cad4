import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// Assembles a new store: what each record makes is appended at once, and what it names is looked for when all are read.
final class RecordAssembler {
    unowned let session: ImportSession
    let assembled: ObjectAssembly
    let conditions: AssemblyConditions
    let layout: StoreLayout
    let scope: ImportScope
    let resolvers: [ReferenceResolver]
    let external: ExternalData
    let batchState: BatchState

    /// - Parameters:
    ///   - session: whose mappings are prepared.
    ///   - conditions: say that the store can be assembled.
    init(_ session: ImportSession, _ assembled: ObjectAssembly, _ conditions: AssemblyConditions) {
        self.session = session
        self.assembled = assembled
        self.conditions = conditions
        layout = session.layout
        scope = session.scope
        resolvers = session.resolvers
        external = session.external
        batchState = session.batchState
    }

    /// Keeps a record whose links may lead nowhere, where such records are written to files.
    func wait(_ record: Int) {
        if session.rejects != nil { batchState.waitingRecords.insert(record) }
    }
}
