import PersistentStores
import RecordSources
import SQLiteAccess

/// Commits batches, and continues an interrupted import.
extension ImportSession {
    /// Commits the records that were read so far, with the position of the next batch.
    ///
    /// - Parameter file: the file that is being read; `position` is nil at its beginning.
    func commit(file: Int, position: RecordPosition?, _ current: ImportReport.SourceReport?) throws {
        // The progress is temporarily moved out of the session, so that its lists are not copied.
        guard var progress = progress.take() else { return }
        defer { self.progress = progress }
        // The next run compares the files with the part that has been read.
        try progress.identify(to: file, position)
        progress.source = file
        progress.position = position
        progress.current = current
        progress.entities = tally.entities
        progress.missingPaths = [:]
        for source in sources { progress.missingPaths[source.index] = source.missingPaths }
        progress.created = resolvers.map(\.created)
        // The files of rejected records are synchronized first; data after the checkpoint are removed when the import
        // continues.
        if let rejects { try progress.note(rejects.checkpoint(), in: connection) }
        try keys.store(in: connection)
        try history?.flush()
        try progress.write(tally.report, to: connection)
        options.onCheckpoint?("batch written")
        try connection.execute("COMMIT")
        options.onCheckpoint?("batch committed")
        try connection.execute("BEGIN IMMEDIATE")
        try noticeOtherWriters(&progress)
    }

    /// Discards cached knowledge of the store if other connections have written to it between two batches.
    private func noticeOtherWriters(_ progress: inout ImportProgress) throws {
        let version = try connection.value("PRAGMA main.data_version").integer
        guard version != progress.dataVersion else { return }
        progress.dataVersion = version
        try keys.refresh(connection)
        for resolver in resolvers { resolver.forgetAll() }
        for entity in entities where entity.keyHistory != nil {
            entity.keyHistory = nil
            try indexes.require(entity.object.keyColumns, of: entity.object.table.name)
        }
    }

    /// Continues from the state of an interrupted import.
    func takeUp(_ earlier: ImportProgress) {
        tally.counts = (earlier.report, earlier.entities)
        for source in sources {
            source.missingPaths = earlier.missingPaths[source.index]
            guard let missing = source.missingPaths, missing.file < tally.report.sources.count else { continue }
            tally.report.sources[missing.file].missingPaths = missing.paths
        }
        for (resolver, created) in zip(resolvers, earlier.created) { resolver.knowledge.created = created }
        progress?.report.sources = []
    }
}
