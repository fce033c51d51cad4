public import ManagedObjectModels
public import PersistentStores
public import PredicateExpressions
public import StoreFetching
import SQLiteAccess

/// Writes the objects of a store as files, in memory that does not grow with their number.
public struct Exporter {
    private let store: SQLiteStore
    private let layout: StoreLayout
    /// Which of the objects are written; of every file.
    public var predicate: Predicate?
    public var sortDescriptors: [FetchSortDescriptor] = []

    public init(store: SQLiteStore, layout: StoreLayout) {
        self.store = store
        self.layout = layout
    }

    /// Writes the records of a file to a sink. Returns how many there were.
    @discardableResult
    public func write(_ file: ExportFile, to sink: @escaping OutputBuffer.Sink) throws -> Int64 {
        var request = FetchRequest(entityName: file.entity, predicate: predicate)
        request.sortDescriptors = sortDescriptors
        // Heirs have files of their own, with columns of their own.
        request.includesSubentities = false
        request.resultType = .dictionaries
        request.propertiesToFetch = file.columns.map {
            FetchedProperty(name: $0.path.joined(separator: "."), .expression($0.value))
        }
        request.includesPrimaryKey = !file.parts.isEmpty
        let cursor = try cursor(request)
        let output = OutputBuffer(sink)
        let styles = file.columns.map(\.style)
        let names = file.columns.map { $0.path.joined(separator: ".") }
        switch file.format {
        case .csv:
            var writer = CSVWriter(output, for: cursor, dialect: file.dialect, styles: styles, names: names)
            return try writer.writeAll(cursor)
        case .json, .ndjson:
            var writer = try JSONWriter(
                output, for: cursor, isLines: file.format == .ndjson, styles: styles, paths: file.columns.map(\.path),
                around: file.recordPath, parts: file.parts.map { try jsonPart($0, output) })
            return try writer.writeAll(cursor)
        case .xml:
            var writer = try XMLWriter(output, for: cursor, elements: file.elements, styles: styles, names: names,
                parts: file.parts.map { try xmlPart($0, output) })
            return try writer.writeAll(cursor)
        }
    }

    private func cursor(_ request: FetchRequest) throws -> FetchCursor {
        let plan = try FetchCompiler.plan(request, layout: layout, storeUUID: store.metadata.uuid)
        return try FetchCursor(plan, store: store, layout: layout)
    }

    private func cursor(_ part: ExportPart) throws -> FetchCursor {
        var request = FetchRequest(entityName: part.entity)
        request.includesSubentities = false
        request.resultType = .dictionaries
        request.owner = FetchOwner(entityName: part.owner, relationship: part.relationship)
        request.includesPrimaryKey = true
        request.propertiesToFetch = part.columns.map {
            FetchedProperty(name: $0.path.joined(separator: "."), .expression($0.value))
        }
        return try cursor(request)
    }

    private func jsonPart(_ part: ExportPart, _ output: OutputBuffer) throws -> JSONWriter.Part {
        let cursor = try cursor(part)
        return try JSONWriter.Part(
            name: part.name, isList: part.isList, cursor,
            JSONWriter(
                output, for: cursor, isLines: true, styles: part.columns.map(\.style), paths: part.columns.map(\.path),
                parts: part.parts.map { try jsonPart($0, output) }))
    }

    private func xmlPart(_ part: ExportPart, _ output: OutputBuffer) throws -> XMLWriter.Part {
        let cursor = try cursor(part)
        return XMLWriter.Part(
            cursor,
            try XMLWriter(
                output, for: cursor, elements: .init(around: [], record: part.name), styles: part.columns.map(\.style),
                names: part.columns.map { $0.path.joined(separator: ".") },
                parts: part.parts.map { try xmlPart($0, output) }))
    }

    /// Writes a new file; it has its name when it is whole.
    @discardableResult
    public func write(_ file: ExportFile, path: String) throws -> Int64 {
        let output = try StreamedFile(path)
        let count = try write(file) { try output.write($0) }
        try output.finish()
        return count
    }
}
