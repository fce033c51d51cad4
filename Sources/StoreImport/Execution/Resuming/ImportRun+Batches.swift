import ImportMappings
import PersistentStores
import RecordSources
import SQLiteAccess

/// Imports in which every batch is committed separately.
extension ImportRun {
    func fillInBatches() throws -> ImportReport {
        if options.isResuming, sources.contains(where: StreamInput.isStream) {
            throw ImportError.standardInputNotResumable
        }
        let wasThere = FileSystem.exists(target.path)
        var finding: String?
        if wasThere {
            try options.pragmas.checkForChange()
        } else {
            try checkRejects()
            finding = try makeEmptyStore()
        }
        let store = try SQLiteStore(path: target.path, access: .readWrite, shownAs: target.shownPath)
        let layout = store.layout(for: target.model)
        if let problem = layout.problems.first { throw ImportPlanError(.noTable(problem.description)) }
        // As in the connections of apps, double quotes in the triggers of others contain text.
        store.connection.setLenientSchema(true)
        do {
            if wasThere { try options.pragmas.applyToConnection(store.connection) }
            try store.connection.execute("PRAGMA main.cache_size = -\(options.fixedLimits.pages.rows); BEGIN IMMEDIATE")
            do {
                try external.prune(store.connection, layout: layout)
                let earlier = try ImportProgress.read(from: store.connection)
                let progress = try self.progress(goingOnFrom: earlier, storeWasThere: wasThere)
                var report = try fill(store.connection, layout: layout, deferred: [], progress: progress)
                if let finding { report.findings.append(finding) }
                try ImportProgress.remove(from: store.connection)
                options.onCheckpoint?("all written")
                try store.connection.execute("COMMIT")
                options.onCheckpoint?("all committed")
                try external.prune(store.connection, layout: layout)
                if wasThere, let finding = options.pragmas.applyJournalMode(store.connection) {
                    report.findings.append(finding)
                }
                return report
            } catch {
                if store.connection.isInTransaction { try? store.connection.execute("ROLLBACK") }
                if case ImportError.cancelled = error, try InterruptedImport.isPresent(in: store.connection) {
                    throw ImportError.cancelledBetweenBatches
                }
                throw error
            }
        } catch let error as SQLiteError {
            throw StoreError(error, path: target.shownPath)
        }
    }

    /// Abandons an import with `ImportOptions.Commit.batch` that was interrupted: committed batches are kept, without
    /// the links that waited for later records.
    ///
    /// - Throws: `ImportError.nothingToAbandon`; `StoreError`. The store is not changed then.
    public static func abandon(in path: String) throws {
        let store = try SQLiteStore(path: path, access: .readWrite)
        do {
            store.connection.setLenientSchema(true)
            try store.connection.execute("BEGIN IMMEDIATE")
            do {
                guard try ImportProgress.discard(from: store.connection) else { throw ImportError.nothingToAbandon }
                try store.connection.execute("COMMIT")
            } catch {
                if store.connection.isInTransaction { try? store.connection.execute("ROLLBACK") }
                throw error
            }
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    private func progress(goingOnFrom earlier: ImportProgress?, storeWasThere: Bool) throws -> ImportProgress {
        let fresh = ImportProgress(
            fingerprint: fingerprint, identities: try sources.map { try SourceIdentity(of: $0) }, now: options.now,
            report: ImportReport(store: target.shownPath, isDryRun: false))
        guard let earlier else {
            if options.isResuming, storeWasThere { throw ImportError.nothingToResume }
            try checkRejects()
            return fresh
        }
        guard options.isResuming else { throw ImportError.interrupted }
        guard earlier.fingerprint == fresh.fingerprint else { throw ImportError.otherImport }
        for (path, identity) in zip(sources, earlier.identities) {
            guard try identity.matches(path) else { throw ImportError.sourceChanged(path) }
        }
        if let directory = options.rejectsDirectory, !RejectWriter.isOwn(directory, of: earlier.rejects) {
            try checkRejects()
        }
        return earlier
    }

    /// Returns a number that identifies the import, and is the same in every run.
    private var fingerprint: String {
        // Different paths may lead to the same file.
        var text = sources.map { $0 == "-" ? $0 : FileSystem.resolvingLinks($0) }.joined(separator: "\0") + "\0"
        switch plan {
        case .mapping(let mapping): text += ImportMappingWriter.yaml(mapping)
        case .entity(let request):
            text += "\(request.entity) \(request.key) \(request.onMatch.rawValue) \(request.onMissing.rawValue)"
        }
        return String(KeyBytes.hash(Array(text.utf8)), radix: 16)
    }

    /// Creates the complete store without objects, before the first batch is read.
    ///
    /// - Returns: a finding if its name in the folder may not be durable.
    private func makeEmptyStore() throws -> String? {
        let directory = FileSystem.directory(of: target.path)
        guard FileSystem.isDirectory(directory) else { throw StoreError(.folderMissing, path: directory) }
        let staged = try StagedFile(for: target.path)
        do {
            let connection = try Connection(path: staged.path, access: .create)
            defer { try? connection.close() }
            try registerCoreDataFunctions(connection)
            try target.newStore.createTables(connection, options.pragmas)
            for index in target.newStore.layout.indexes().indexes { try connection.execute(index.createStatement) }
            try target.newStore.createTriggers(connection)
            _ = try connection.value("PRAGMA journal_mode = \(options.pragmas.journalMode(isLogged: true))")
        } catch {
            throw StoreError(error, path: target.shownPath)
        }
        options.onCheckpoint?("store made")
        try staged.synchronize()
        let error = try staged.move(to: target.path, replacing: false)
        options.onCheckpoint?("store in place")
        return error.map(Self.placeFinding)
    }
}
