import PersistentStores
import SQLiteAccess

/// What is left to do when all records are read: the links that waited are written, and records that turn out to break a
/// rule, or to lack what they need, are taken back with all that depends on them.
///
/// Writing a link may take a record back, and taking a record back leaves links to be written again, until nothing changes
/// any more.
final class Settlement {
    unowned let session: ImportSession
    let connection: Connection
    let layout: StoreLayout
    let options: ImportOptions
    let indexes: IndexKeeper
    let sources: [SourceImport]
    let entities: [EntityImport]
    let resolvers: [ReferenceResolver]
    let links: MappedLinks
    let linkStage: LinkStage
    let linkCounts: LinkCounts
    let places: OrderedPlaces
    let log: ChangeLog
    /// nil if every record is proven when its batch is written.
    let unproven: UnprovenRecords?
    /// Records that were taken back; nil if none can be.
    let taken: RevokedRecords?
    let rejects: RejectWriter?
    /// nil if no record could end links that others have named, or if no files of rejected records are written.
    let refusedObjects: RefusedObjects?
    let history: HistoryWriter?
    let tally: ImportTally

    /// - Parameter session: whose mappings are prepared.
    init(_ session: ImportSession) {
        self.session = session
        connection = session.connection
        layout = session.layout
        options = session.options
        indexes = session.indexes
        sources = session.sources
        entities = session.entities
        resolvers = session.resolvers
        links = session.links
        linkStage = session.linkStage
        linkCounts = session.linkCounts
        places = session.places
        log = session.log
        unproven = session.unproven
        taken = session.taken
        rejects = session.rejects
        refusedObjects = session.refusedObjects
        history = session.history
        tally = session.tally
    }

    /// Writes the links that waited, and takes back the records that may not stay.
    func settle() throws {
        try settleNeeds()
        linkStage.areWritten = true
        try writePendingLinks()
        try endLinks()
        try checkCounts()
        try rejectMatches()
        try settleOneToOnes()
        // What was taken back may have changed where links lead.
        if unproven?.hasFollowedLostLinks ?? false { try endLinks() }
        try places.settle(without: taken)
    }

    /// Reports what was rejected, and which links lead nowhere, when all is settled.
    func report() throws {
        try keepNamersOfRefused()
        try writeTakenRecords()
        try writeAbsentLinks()
    }

    /// The object mapping whose objects have a link that waited.
    func object(of link: PendingLink) -> CompiledObject { sources[link.source].entities[link.object].object }

    /// The relationship of a link that waited.
    func relationship(of link: PendingLink) -> RelationshipImport {
        sources[link.source].entities[link.object].relationships[link.relationship]
    }
}
