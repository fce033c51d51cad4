import PersistentStores
import SQLiteAccess

/// Making an import durable batch by batch, and going on with one.
extension BulkImporter {
    /// Commits what was read so far, with the place where the next batch begins.
    func commit(source: Int, position: RecordPosition?, _ current: ImportReport.SourceReport?) throws {
        guard var progress else { return }
        // What was read of the sources is what the next run compares them with.
        for (index, file) in progress.files.enumerated() where index <= source {
            guard index < source || position != nil else { continue }
            try progress.identities[file].extend(
                to: index < source ? nil : position?.byteOffset, of: sourcePaths[file])
        }
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
        try noticeOtherWriters()
    }

    /// Forgets what is known of the store where others have written to it between two batches.
    private func noticeOtherWriters() throws {
        let version = try connection.value("PRAGMA main.data_version").integer
        guard version != dataVersion else { return }
        dataVersion = version
        try keys.refresh(connection)
        for resolver in resolvers { resolver.forgetAll() }
        for sourceIndex in freshness.indices {
            for index in freshness[sourceIndex].indices where freshness[sourceIndex][index] != nil {
                freshness[sourceIndex][index] = nil
                let writer = writers[sourceIndex][index]
                try indexes.require(writer.keyColumns, of: writer.object.table.name)
            }
        }
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
