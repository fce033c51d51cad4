import FoundationEssentials
import Glibc
import ImportMappings
import PersistentStores
import RecordSources
import SQLiteAccess

/// The part of an import in which records are converted and stored, to be assembled to a store with those of other
/// shards.
extension ImportRun {
    /// The result of a shard.
    public struct SpoolReport: Sendable, Codable, Equatable {
        /// The path of the spool.
        public let path: String
        /// The part of the sources that was read.
        public let shard: ImportShard
        /// The number of records that were read.
        public let records: Int64
        /// The number of records whose values violate a rule of the model; others may be rejected when the store is
        /// assembled.
        public let rejected: Int64
        /// The duration in seconds.
        public var seconds: Double = 0
    }

    /// Converts the records of a shard and writes them to a folder, which is created if it does not exist.
    ///
    /// `ImportSpools` assembles the store. The path of the target is ignored, and its store is not opened. A spool of
    /// the same shard is replaced when the new one is complete.
    ///
    /// - Parameters:
    ///   - folder: the folder for the spool.
    ///   - shard: the part of the sources that is read.
    ///   - hasMoment: whether `ImportOptions.now` is the same for all shards, so that a mapping may use `now()`.
    ///   - isReplacing: whether the spool of another import is replaced.
    /// - Throws: `ImportPlanError` for an invalid mapping, `SourceError` for a source that cannot be read, `SpoolError`
    ///   or `StoreError` if the spool cannot be written, `ImportError.cancelled`.
    public func spool(
        to folder: String, _ shard: ImportShard, hasMoment: Bool = false, isReplacing: Bool = false
    ) throws -> SpoolReport {
        let start = Clock.seconds
        var run = self
        run.sources = try SourcePaths.files(of: sources)
        for path in run.sources where StreamInput.isStream(path) || records != nil {
            throw SpoolError.notDivisible(path)
        }
        var report = try run.spoolFiles(folder, shard, hasMoment: hasMoment, isReplacing)
        report.seconds = Clock.seconds - start
        return report
    }

    @_optimize(size)
    private func spoolFiles(
        _ folder: String, _ shard: ImportShard, hasMoment: Bool, _ isReplacing: Bool
    ) throws -> SpoolReport {
        let opening = SourceOpening(limits: RecordLimits(bytes: options.largestRecord))
        var findings: [String] = []
        let inputs = try self.inputs(opening, &findings)
        let prepared = try prepare(inputs, opening, target.newStore.layout, now: options.now)
        for file in inputs.files where !Self.isRegularFile(file.path) { throw SpoolError.notDivisible(file.path) }
        if !hasMoment, shard.count > 1, inputs.mappings.contains(where: \.source.usesMoment) {
            throw SpoolError.momentNeeded
        }
        let content = try self.content(
            inputs, prepared.compiled, prepared.catalogs, findings,
            now: inputs.mappings.contains(where: \.source.usesMoment) ? options.now : 0)
        let header = try content.encoded()
        let plan = try ShardPlan(shard, of: inputs, opening)
        let sequential = try sequentialSources(prepared.compiled, folder)

        do throws(FileError) {
            try FileSystem.createDirectory(folder)
        } catch {
            throw StoreError(error)
        }
        let path = folder + "/" + shard.fileName
        let isOld = FileSystem.isThere(path)
        if isOld, !isReplacing, (try? SpoolReader(path).header()) != header { throw SpoolError.otherImport(path) }
        var writer = try SpoolWriter(path, replacing: isOld, limits: options.fixedLimits.spools)
        try writer.append(.import, header)
        let found = Set(prepared.compiled.resolvers.map(\.table.root))
        var keys = KeyRunWriter(
            of: prepared.compiled.sources.indices.filter {
                prepared.compiled.sources.mayHaveDistinctKeys($0, found: found)
            }, options.fixedLimits.spools)
        var counts = Counts()
        for (index, range) in plan.ranges.enumerated() {
            guard let range else { continue }
            let file = inputs.files[index]
            let compiled = prepared.compiled.sources[prepared.compiled.files[index]]
            let source = try opening.source(
                file.path, inputs.mapping(of: file).source.format,
                fields: prepared.catalogs[prepared.compiled.files[index]])
            let records = SourceRecords(source, for: compiled, range: range)
            let before = counts.records
            var limits = options.limits
            if sequential.contains(prepared.compiled.files[index]) { limits.rows = 1 }
            try write(records, of: index, compiled, limits, &writer, &counts) { work, writer throws in
                try keys.add(work, of: prepared.compiled.files[index], to: &writer)
            }
            guard try SourceIdentity(of: file.path) == content.files[index].identity else {
                throw SpoolError.sourceChanged(file.path)
            }
            if counts.records == before { try noteMissingElements(index, inputs, &counts) }
        }
        try keys.finish(&writer)
        let ending = SpoolEnding(
            shard: shard, records: counts.records, missingElements: counts.missingElements, keys: keys.keys)
        options.onCheckpoint?("shard spooled")
        try writer.finish(ending.encoded())
        return SpoolReport(path: path, shard: shard, records: counts.records, rejected: counts.rejected)
    }

    private static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The counts of a shard.
    private struct Counts {
        var records: Int64 = 0
        var rejected: Int64 = 0
        var missingElements: [Int: String] = [:]
    }

    /// Returns the sources of which each record is a batch. The look-ups of an assembly may depend on whether it writes
    /// files of rejected records, which is not known yet; smaller batches than necessary do not change the result.
    private func sequentialSources(_ compiled: CompiledImport, _ folder: String) throws -> Set<Int> {
        let layout = target.newStore.layout
        let connection = try Connection(path: ":memory:", access: .create)
        try registerCoreDataFunctions(connection)
        try target.newStore.createTables(connection)
        var options = options
        options.rejectsDirectory = folder
        let session = try ImportSession(
            connection: connection, layout: layout, compiled: compiled, options: options, store: target.path,
            deferredIndexes: layout.indexes().indexes, isNew: true)
        let looksUp = !AssemblyConditions(session).reasonsToLookUp().isEmpty
        return Set(
            compiled.sources.indices.filter {
                compiled.sources[$0].isSequential || looksUp && compiled.sources[$0].isLookedUpInTurn(layout)
            })
    }

    /// Writes the records of a file.
    ///
    /// - Parameter body: called with each batch.
    private func write(
        _ records: SourceRecords, of index: Int, _ compiled: CompiledSource, _ limits: RecordBatch.Limits,
        _ writer: inout SpoolWriter, _ counts: inout Counts,
        _ body: (ConvertedBatch, inout SpoolWriter) throws -> Void
    ) throws {
        let form = records.delimitedForm
        let start = SpoolCursor.FileStart(file: index, guessedEncoding: records.guessedEncoding, form: form)
        let json = JSONEncoder()
        json.outputFormatting = .sortedKeys
        try writer.append(.file, Array(try json.encode(start)))
        let name = records.name
        let pipeline = try RecordPipeline(
            records, for: compiled, limits: limits, batchCount: options.fixedLimits.circulatingBatches)
        defer { pipeline.stop() }
        var encoder = SpoolEncoder()
        var origin = RecordBytes.inBatch
        while var work = try pipeline.next(isCancelled: options.isCancelled) {
            if options.isCancelled?() ?? false { throw ImportError.cancelled }
            origin = work.rejectSource?.bytes ?? origin
            work.keepBytes(origin)
            encoder.removeAll()
            work.encode(compiled, leavingOutFields: form != nil, into: &encoder)
            try writer.append(.batch, encoder.bytes)
            try body(work, &writer)
            counts.records += Int64(work.batch.count)
            counts.rejected += Int64(work.refusals.count)
            options.onCheckpoint?("batch spooled")
            options.onProgress?(counts.records, name)
            pipeline.recycle(consume work)
        }
    }

    /// Stores the finding that is reported if no file of a mapping has records.
    private func noteMissingElements(_ index: Int, _ inputs: ImportInputs, _ counts: inout Counts) throws {
        let mapping = inputs.mapping(of: inputs.files[index])
        guard let place = mapping.index, let records = mapping.source.format.records,
            inputs.files.firstIndex(where: { inputs.mapping(of: $0).index == place }) == index
        else { return }
        counts.missingElements[place] = Self.elementHint(inputs.files[index].path, mapping.source.format, records)
    }

    private func content(
        _ inputs: ImportInputs, _ compiled: CompiledImport, _ catalogs: [FieldCatalog], _ findings: [String],
        now: Double
    ) throws -> SpooledImport {
        guard let model = try SpooledImport.Model(target) else { throw SpoolError.modelNotSpooled }
        var mapping: ImportMapping?
        var request: EntityRequest?
        switch plan {
        case .mapping(let given): mapping = given
        case .entity(let given): request = given
        }
        return SpooledImport(
            model: model, mapping: mapping, request: request,
            mappings: inputs.mappings.map { SpooledImport.Mapping(source: $0.source, index: $0.index) },
            files: try zip(inputs.files, compiled.files).map { file, source in
                SpooledImport.File(
                    path: file.path, mapping: file.mapping,
                    kind: try SourceOpening.kind(of: file.path, inputs.mapping(of: file).source.format),
                    columns: catalogs[source].columns,
                    identity: try SourceIdentity(of: file.path))
            },
            findings: findings, largestRecord: options.largestRecord, batchRows: options.limits.rows,
            batchBytes: options.limits.bytes, now: now, localization: options.localization)
    }
}

extension SourceMapping {
    /// Whether an expression may use the time of the run.
    fileprivate var usesMoment: Bool {
        func usesMoment(_ origin: ValueOrigin) -> Bool {
            if case .expression(let expression) = origin { expression.text.lowercased().contains("now") } else { false }
        }
        return objects.contains { object in
            object.sourceKey.contains(where: usesMoment)
                || object.attributes.contains { usesMoment($0.value) }
                || object.relationships.contains { relationship in
                    if case .key(let target) = relationship.target {
                        target.parts.contains { usesMoment($0.value) }
                    } else {
                        false
                    }
                }
        }
    }
}

extension ConvertedBatch {
    /// Stores the bytes of its records with them, if they are not in the batch.
    fileprivate mutating func keepBytes(_ bytes: RecordBytes) {
        guard bytes != .inBatch else { return }
        batch.keepBytes(bytes)
        rejectSource = rejectSource?.with(.besideBatch)
    }
}

extension RecordBatch {
    /// Stores the bytes of the records with them, for a source that keeps them elsewhere.
    fileprivate mutating func keepBytes(_ bytes: RecordBytes) {
        guard original == nil else { return }
        let places = (0..<count).map { self[$0].sourceRange }.filter { !$0.isEmpty }
        guard let first = places.first?.lowerBound, let last = places.last?.upperBound, first >= start.byteOffset,
            let found = bytes.bytes(start.byteOffset..<last)
        else { return }
        original = found
    }
}
