/// What an importer knows before it writes a batch, beside what is in the database.
struct BatchCheckpoint {
    private let keys: PrimaryKeyAllocator
    private let report: ImportReport
    private let entityReports: [String: ImportReport.EntityReport]
    private let resolvers: [ReferenceResolver.Knowledge]
    private let indexes: IndexKeeper.Knowledge
    private let pendingCount: Int64
    private let openRecords: (roots: Set<Int>, isEmpty: Bool)?

    init(_ importer: ImportSession) {
        keys = importer.keys
        report = importer.report
        entityReports = importer.entityReports
        resolvers = importer.resolvers.map(\.knowledge)
        indexes = importer.indexes.knowledge
        pendingCount = importer.pending.count
        openRecords = importer.unproven?.records.knowledge
    }

    func restore(_ importer: ImportSession) {
        importer.keys = keys
        importer.report = report
        importer.entityReports = entityReports
        for (resolver, knowledge) in zip(importer.resolvers, resolvers) { resolver.knowledge = knowledge }
        importer.indexes.knowledge = indexes
        importer.pending.count = pendingCount
        importer.pending.forgetIndex()
        importer.firstDestinations.forgetTable()
        if let openRecords { importer.unproven?.records.knowledge = openRecords }
        for keys in importer.orderKeys.values { keys.forgetAll() }
        importer.log.removeAll()
    }
}
