/// The state of an import in memory before a batch is written. It is restored if the changes of the batch to the
/// database are rolled back.
struct BatchCheckpoint {
    private let keys: PrimaryKeyAllocator
    private let counts: (report: ImportReport, entities: [String: ImportReport.EntityReport])
    private let resolvers: [ReferenceResolver.Knowledge]
    private let indexes: IndexKeeper.Knowledge
    private let pendingCount: Int64
    private let openRecords: (roots: Set<Int>, isEmpty: Bool)?

    init(_ importer: ImportSession) {
        keys = importer.keys
        counts = importer.tally.counts
        resolvers = importer.resolvers.map(\.knowledge)
        indexes = importer.indexes.knowledge
        pendingCount = importer.linkStage.pending.count
        openRecords = importer.unproven?.records.knowledge
    }

    func restore(_ importer: ImportSession) {
        importer.keys = keys
        importer.tally.counts = counts
        for (resolver, knowledge) in zip(importer.resolvers, resolvers) { resolver.knowledge = knowledge }
        importer.indexes.knowledge = indexes
        importer.linkStage.pending.count = pendingCount
        importer.linkStage.pending.forgetIndex()
        importer.linkStage.firstDestinations.forgetTable()
        if let openRecords { importer.unproven?.records.knowledge = openRecords }
        importer.places.forgetAll()
        importer.log.removeAll()
    }
}
