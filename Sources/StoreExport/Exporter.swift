import Glibc
public import ManagedObjectModels
public import PersistentStores
public import PredicateExpressions
public import StoreFetching
import SQLiteAccess

/// Writes the objects of a store, or of several stores with the same model together, to files. Its memory does not grow
/// with the number of objects.
public struct Exporter {
    private let stores: [FetchedStore]
    /// The predicate that the objects in every file satisfy; nil for all objects.
    public var predicate: Predicate?
    /// The order of the records in every file; if empty, they are in the order of their primary keys.
    public var sortDescriptors: [FetchSortDescriptor] = []

    /// Whether existing files are replaced; if false, the export fails with `StoreError.exists`.
    public var isReplacing = false
    /// Called repeatedly until the files get their names; if it returns true, the export throws an error and leaves no
    /// files.
    public var isCancelled: (() -> Bool)?

    /// Called for each object that has been read.
    public var onProgress: ((ExportProgress) -> Void)?

    /// Internal limits, which tests set to small values.
    var limits = ExportLimits()

    /// Creates an exporter of an open store.
    public init(store: SQLiteStore, layout: StoreLayout) {
        self.init(stores: [FetchedStore(store, layout)])
    }

    /// Creates an exporter of several stores with one version of a model. It writes the objects of all stores in the
    /// order of `sortDescriptors`, or store by store. At least one store is required.
    public init(stores: [FetchedStore]) {
        self.stores = stores
    }

    /// Called with each object that is left out because it could not be read back unchanged; if nil, such an object is
    /// an error.
    public var onRefusal: ((ExportRefusal) throws -> Void)?

    /// Writes the records of a file to a sink; returns their number.
    ///
    /// - Parameters:
    ///   - file: the records, their columns and their format.
    ///   - folder: the folder of the file, beside which files of binary data are written.
    ///   - sink: receives the bytes, piece by piece.
    /// - Throws: `FetchError` if the plan does not fit the store, `SQLiteError` and `StoreError` if the store cannot be
    ///   read, an error for an object that cannot be written, and the errors of the sink.
    @discardableResult
    public func write(_ file: ExportFile, in folder: String = ".", to sink: @escaping OutputBuffer.Sink) throws -> Int64
    {
        file.binaryFiles?.begin(in: folder, stagedIn: nil)
        return try write(file, stagedIn: folder, to: sink)
    }

    private func write(
        _ file: ExportFile, stagedIn folder: String, to sink: @escaping OutputBuffer.Sink
    ) throws -> Int64 {
        let sections = [file] + file.sections
        var count: Int64 = 0
        try FetchedStore.reading(stores) {
            for (index, section) in sections.enumerated() {
                count += try write(
                    section, in: folder, isFirst: index == 0, isLast: index == sections.count - 1,
                    isGoingOn: count > 0, to: sink)
            }
        }
        return count
    }

    private func write(
        _ file: ExportFile, in folder: String, isFirst: Bool, isLast: Bool, isGoingOn: Bool,
        to sink: @escaping OutputBuffer.Sink
    ) throws -> Int64 {
        let predicates = [predicate].compactMap { $0 } + file.restrictions
        var original = FetchRequest(entityName: file.entity, predicate: predicates.isEmpty ? nil : .all(of: predicates))
        original.sortDescriptors = sortDescriptors
        original.transformers = file.transformers
        original.unwoundRelationship = file.unwoundRelationship
        let request = fetch(original, file.columns, file.trial)
        let styles = file.columns.map(\.style)
        switch file.format {
        case .csv:
            let names = file.columns.map(\.name)
            return try write(file, request, in: folder, isFirst, isLast, to: sink) { output, cursor, _, _ in
                CSVWriter(output, for: cursor, dialect: file.dialect, styles: styles, names: names)
            }
        case .json, .ndjson:
            return try write(file, request, in: folder, isFirst, isLast, to: sink) { output, cursor, member, isBehind in
                var writer = try JSONWriter(
                    output, for: cursor, isLines: file.format == .ndjson, styles: styles,
                    paths: file.columns.map(\.path), around: file.recordPath,
                    parts: file.parts.map { try jsonPart($0, of: member, output, in: folder) })
                writer.isGoingOn = isGoingOn || isBehind
                return writer
            }
        case .xml:
            return try write(file, request, in: folder, isFirst, isLast, to: sink) { output, cursor, member, _ in
                try XMLWriter(
                    output, for: cursor, elements: file.elements, styles: styles, paths: file.columns.map(\.path),
                    parts: file.parts.map { try xmlPart($0, of: member, output, in: folder) })
            }
        }
    }

    /// Creates a writer of a cursor's rows, which come first or after those of another writer.
    private typealias WriterMaker<Writer> = (
        OutputBuffer, FetchCursor, _ of: FetchedStore, _ isBehind: Bool
    ) throws -> Writer

    private func write<Writer: RecordWriter>(
        _ file: ExportFile, _ request: FetchRequest, in folder: String, _ isFirst: Bool, _ isLast: Bool,
        to sink: @escaping OutputBuffer.Sink, makeWriter: WriterMaker<Writer>
    ) throws -> Int64 {
        let union = try FetchUnion(request, to: stores)
        for (cursor, member) in zip(union.cursors, union.stores) {
            try check(cursor, of: member, file.entity, file.columns, file.trial, file.format, in: folder)
        }
        let watch = watch(request)
        let output = OutputBuffer(limits: limits.output, sink)
        var writers = UnionWriters(
            try zip(union.cursors, union.stores).map { try makeWriter(output, $0, $1, false) })
        if isFirst { try writers.current.begin() }
        var shared: Int64?
        if let export = try sharedExport(of: file, request) {
            try writers.current.flush()
            shared = try write(file, by: export, to: sink, watch, makeWriter: makeWriter)
        }
        if let watch, shared == nil {
            for cursor in union.cursors {
                let accepts = cursor.accepts
                cursor.accepts = { cursor in
                    watch(1)
                    return try accepts?(cursor) ?? true
                }
            }
        }
        let count = try shared ?? union.writeRows(with: &writers)
        watch?(nil)
        if isLast { try writers.current.end() } else { try writers.current.flush() }
        return count
    }

    /// Returns an export that several threads share; nil if only one thread can write the records.
    private func sharedExport(of file: ExportFile, _ request: FetchRequest) throws -> SharedExport? {
        guard stores.count == 1, file.sections.isEmpty, file.parts.isEmpty, file.binaryFiles == nil else { return nil }
        return try SharedExport(request, in: stores[0].store, layout: stores[0].layout, limits: limits)
    }

    private func write<Writer: RecordWriter>(
        _ file: ExportFile, by shared: SharedExport, to sink: @escaping OutputBuffer.Sink,
        _ watch: ((Int64?) -> Void)?, makeWriter: WriterMaker<Writer>
    ) throws -> Int64? {
        var isFirst = file.format == .json
        return try shared.write(
            with: { try makeWriter($0, $1, stores[0], true) },
            to: { bytes in
                // The first record is not preceded by a comma.
                try sink(isFirst ? Array(bytes.dropFirst()) : bytes)
                isFirst = false
            },
            refusing: onRefusal, counting: { watch?($0) },
            check: {
                // With a single thread, its statement would be interrupted instead.
                if isCancelled?() ?? false { throw SQLiteError.interrupted(path: stores[0].store.files.shownPath) }
            })
    }

    // MARK: Rows

    private func fetch(
        _ original: FetchRequest, _ columns: [ExportColumn], _ trial: ExportTrial?
    ) -> FetchRequest {
        var request = original
        // Subentities have separate files with their own columns.
        request.includesSubentities = false
        request.resultType = .dictionaries
        request.propertiesToFetch = columns.map(\.property)
        request.includesPrimaryKey = true
        if let trial, trial.isNeeded { request.hiddenProperties = RowTrial.properties(for: trial) }
        return request
    }

    /// Adds the trial of a cursor's rows if it is needed, and records the rows that are left out.
    private func check(
        _ cursor: FetchCursor, of member: FetchedStore, _ entity: String, _ columns: [ExportColumn],
        _ trial: ExportTrial?, _ format: ExportFormat, in folder: String
    ) throws {
        let refuse = refusals(of: entity, in: member.store)
        cursor.onRefusal = refuse
        guard let trial, trial.isNeeded else { return }
        let check = try RowTrial(trial, columns, format, cursor: cursor, layout: member.layout, folder: folder)
        cursor.accepts = { cursor in
            guard let reason = try check.refusal(of: cursor) else { return true }
            guard let refuse else { throw FetchError(.valueNotWritable(column: entity, reason: reason)) }
            try refuse(cursor, reason)
            return false
        }
    }

    /// Returns a closure that reports a number of further rows to the observer, or the end if it is called with nil;
    /// returns nil if there is no observer.
    @inline(never)  // Once, not in the export of each format.
    private func watch(_ request: FetchRequest) -> ((Int64?) -> Void)? {
        guard let onProgress else { return nil }
        var (rows, next, total): (Int64, Int64, Int64?) = (0, 0, nil)
        let start = ContinuousClock.now
        var isCounted = false
        return { count in
            rows += count ?? 0
            // Counting reads as much as a part of the export, so it is not done for short exports.
            if count == nil {
                total = rows
            } else if !isCounted, rows >= next {
                next = rows + Int64(limits.windowRows)
                isCounted = ContinuousClock.now - start >= limits.countingDelay
                if isCounted { total = (try? rowCount(of: request, in: stores)) ?? nil }
            }
            onProgress(ExportProgress(entity: request.entityName, rowsDone: rows, rowsTotal: total))
        }
    }

    /// Returns the number of an entity's objects; nil if the request selects some of them.
    private func rowCount(of request: FetchRequest, in stores: [FetchedStore]) throws -> Int64? {
        guard request.predicate == nil, request.unwoundRelationship == nil else { return nil }
        var total: Int64 = 0
        for member in stores {
            guard let entity = member.layout.model.entity(named: request.entityName),
                let table = member.layout.table(ofEntity: entity.slot)
            else { return nil }
            total +=
                try member.store.connection.value(
                    "SELECT count(*) FROM main.\(SQLiteIdentifier.quoted(table.name)) WHERE Z_ENT = "
                        + "\(member.layout.entityNumbers[entity.slot])"
                ).integer ?? 0
        }
        return total
    }

    private func refusals(of entity: String, in store: SQLiteStore) -> ((FetchCursor, String) throws -> Void)? {
        guard let onRefusal else { return nil }
        let storeUUID = store.metadata.uuid
        return { cursor, reason in
            let object = ManagedObjectID(storeUUID: storeUUID, entityName: entity, primaryKey: cursor.primaryKey)
            try onRefusal(ExportRefusal(uri: object.uri, reason: reason))
        }
    }

    private func cursor(
        _ part: ExportPart, of member: FetchedStore, _ format: ExportFormat, in folder: String
    ) throws -> FetchCursor {
        var request = FetchRequest(entityName: part.entity)
        request.owner = FetchOwner(entityName: part.owner, relationship: part.relationship)
        let plan = try FetchCompiler.plan(
            fetch(request, part.columns, part.trial), layout: member.layout, storeUUID: member.store.metadata.uuid)
        let cursor = try FetchCursor(plan, store: member.store, layout: member.layout)
        try check(cursor, of: member, part.entity, part.columns, part.trial, format, in: folder)
        return cursor
    }

    private func jsonPart(
        _ part: ExportPart, of member: FetchedStore, _ output: OutputBuffer, in folder: String
    ) throws -> JSONWriter.Part {
        let cursor = try cursor(part, of: member, .json, in: folder)
        return try JSONWriter.Part(
            part.path, cursor,
            JSONWriter(
                output, for: cursor, isLines: true, styles: part.columns.map(\.style), paths: part.columns.map(\.path),
                parts: part.parts.map { try jsonPart($0, of: member, output, in: folder) }))
    }

    private func xmlPart(
        _ part: ExportPart, of member: FetchedStore, _ output: OutputBuffer, in folder: String
    ) throws -> XMLWriter.Part {
        let cursor = try cursor(part, of: member, .xml, in: folder)
        return XMLWriter.Part(
            part.path, cursor,
            try XMLWriter(
                output, for: cursor, elements: .init(around: [], record: part.path.name),
                styles: part.columns.map(\.style),
                paths: part.columns.map(\.path),
                parts: part.parts.map { try xmlPart($0, of: member, output, in: folder) }))
    }

    /// Writes a file and its files of binary data; they get their names when they are complete. Returns the number of
    /// records.
    /// - Throws: `StoreError` if a file already exists or cannot be written, or if the export is cancelled; the errors
    ///   of `write(_:in:to:)`. No files are left then.
    @discardableResult
    public func write(_ file: ExportFile, path: String) throws -> Int64 {
        let output = try StagedOutput(for: path, replacing: isReplacing)
        let folder = FileSystem.directory(of: path)
        let count = try write(file, named: FileSystem.name(of: path), in: output.makeFolder(), for: folder)
        try checkCancelled(path)
        try output.finish(into: folder)
        return count
    }

    /// Writes files into a folder, which is created if it does not exist. The files get their names when all are
    /// complete. Returns the number of records in each file.
    /// - Throws: `StoreError` if a file already exists or cannot be written, or if the export is cancelled; the errors
    ///   of `write(_:in:to:)`. No files of the export are left then.
    public func write(_ files: [ExportFile], into folder: String) throws -> [Int64] {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let isNew = !FileSystem.isDirectory(folder)
        if !isNew, !isReplacing {
            // Existing files are reported before the first file is written.
            for file in files where FileSystem.isThere(folder + "/" + file.name) {
                throw StoreError(.exists, path: folder + "/" + file.name)
            }
        }
        if isNew {
            do throws(FileError) {
                try FileSystem.createDirectory(FileSystem.directory(of: folder))
            } catch {
                throw StoreError(error)
            }
        }
        // In an existing folder, because this may be on another file system than its parent.
        let output = try StagedOutput(for: isNew ? folder : folder + "/export", replacing: !isNew)
        let content = try output.makeFolder()
        let counts = try FetchedStore.reading(stores) {
            try files.map { try write($0, named: $0.name, in: content, for: folder) }
        }
        try checkCancelled(folder)
        if isNew { try output.finish() } else { try output.finish(into: folder) }
        return counts
    }

    private func write(
        _ file: ExportFile, named name: String, in content: String, for folder: String
    ) throws -> Int64 {
        file.binaryFiles?.begin(in: folder, stagedIn: content)
        let output = try NewFile(content + "/" + name)
        return try write(file, stagedIn: content) { try output.write($0) }
    }

    private func checkCancelled(_ path: String) throws(StoreError) {
        if isCancelled?() ?? false { throw StoreError(FileError(.write, path, number: ECANCELED)) }
    }
}
