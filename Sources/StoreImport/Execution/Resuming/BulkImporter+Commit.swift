import SQLiteAccess

/// Making an import durable batch by batch, and going on with one.
extension BulkImporter {
    /// Commits what was read so far, with the place where the next batch begins.
    func commit(source: Int, position: RecordPosition?, _ current: ImportReport.SourceReport?) throws {
        guard var progress else { return }
        progress.source = source
        progress.position = position
        progress.current = current
        progress.report = report
        progress.entities = entityReports
        progress.created = resolvers.map(\.created)
        // The files of rejected records come first: what they have more is cut off when the import goes on.
        if let rejects { progress.rejects = try rejects.checkpoint() }
        try keys.store(in: connection)
        try history?.flush()
        try progress.write(to: connection)
        self.progress = progress
        options.onCheckpoint?("batch written")
        try connection.execute("COMMIT")
        options.onCheckpoint?("batch committed")
        try connection.execute("BEGIN IMMEDIATE")
    }

    /// Takes up what an interrupted import had come to.
    func takeUp(_ earlier: ImportProgress) {
        report = earlier.report
        entityReports = earlier.entities
        for (resolver, created) in zip(resolvers, earlier.created) { resolver.knowledge.created = created }
    }

    /// Learns of a source of which records were read before the interruption.
    func takeUp(_ source: RejectSource, at index: Int) throws {
        rejectSources[index] = source
        try rejects?.goOn(with: source)
    }
}
