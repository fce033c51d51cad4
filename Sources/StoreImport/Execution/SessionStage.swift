import PersistentStores
import SQLiteAccess

/// The properties that the stages of an import share with its session, which outlives them.
class SessionStage {
    unowned let session: ImportSession
    let connection: Connection
    let layout: StoreLayout
    let options: ImportOptions
    let indexes: IndexKeeper
    let sources: [SourceImport]
    let entities: [EntityImport]
    let scope: ImportScope
    let resolvers: [ReferenceResolver]
    let links: MappedLinks
    let linkStage: LinkStage
    let linkCounts: LinkCounts
    let places: OrderedPlaces
    let batchState: BatchState
    let log: ChangeLog
    /// The records that may still be rejected when all records are read; nil if every record is proven when its batch
    /// is written.
    let unproven: UnprovenRecords?
    /// The revoked records; nil if no record can be revoked.
    let taken: RevokedRecords?
    let rejects: RejectWriter?
    let external: ExternalData
    let history: HistoryWriter?
    let tally: ImportTally

    /// - Parameter session: the session, whose mappings have been prepared.
    init(_ session: ImportSession) {
        self.session = session
        connection = session.connection
        layout = session.layout
        options = session.options
        indexes = session.indexes
        sources = session.sources
        entities = session.entities
        scope = session.scope
        resolvers = session.resolvers
        links = session.links
        linkStage = session.linkStage
        linkCounts = session.linkCounts
        places = session.places
        batchState = session.batchState
        log = session.log
        unproven = session.unproven
        taken = session.taken
        rejects = session.rejects
        external = session.external
        history = session.history
        tally = session.tally
    }
}
