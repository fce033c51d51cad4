import FoundationEssentials
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreFetching
import Threading

/// Writes the records of an entity's objects with several threads, in the order of the primary keys, as a single thread
/// would.
struct SharedExport {
    /// A part of a thread's output for a window of keys: a block of records in the buffer that the thread was given, or
    /// an empty buffer with a message.
    private struct Piece: Sendable {
        var bytes: [UInt8]
        var news: News?
    }

    private enum News: Sendable {
        /// An object that was left out.
        case refusal(ExportRefusal)
        /// The end of the window.
        case window(rows: Int64, records: Int64)
    }

    private typealias Reader = WindowReader<[UInt8], Piece>

    /// The interval in milliseconds at which cancellation is checked while waiting for output.
    private static let patience = 100

    private let plan: FetchPlan
    private let layout: StoreLayout
    private let entity: ResolvedEntity
    /// The entity's table, quoted.
    private let table: String
    private let stores: [SQLiteStore]
    private let keys: ClosedRange<Int64>
    private let limits: ExportLimits

    /// - Parameter request: a request for all objects of an entity in the order of their keys.
    /// - Returns: nil if one thread is as fast, or if the store may change meanwhile.
    init?(_ request: FetchRequest, in store: SQLiteStore, layout: StoreLayout, limits: ExportLimits) throws {
        // If SQLite used an index for a predicate or an order, it would scan the whole index for each window.
        guard request.predicate == nil, request.sortDescriptors.isEmpty, request.unwoundRelationship == nil,
            request.hiddenProperties.isEmpty, request.owner == nil,
            let entity = layout.model.entity(named: request.entityName),
            let table = layout.table(ofEntity: entity.slot).map({ SQLiteIdentifier.quoted($0.name) })
        else { return nil }
        func key(_ function: String) throws -> Int64? {
            try store.connection.value("SELECT \(function)(Z_PK) FROM main.\(table)").integer
        }
        guard let first = try key("min"), let last = try key("max"),
            last.subtractingReportingOverflow(first).overflow || last - first >= limits.sharedKeys
        else { return nil }
        let count = min(limits.processors ?? ProcessInfo.processInfo.activeProcessorCount, limits.readers)
        guard count > 1 else { return nil }
        stores = store.readers(count)
        guard stores.count == count else { return nil }
        var limited = request
        limited.isOfKeyRange = true
        plan = try FetchCompiler.plan(limited, layout: layout, storeUUID: store.metadata.uuid)
        keys = first...last
        (self.layout, self.entity, self.table, self.limits) = (layout, entity, table, limits)
    }

    /// Writes all records; returns their number, or nil without writing anything if the system cannot start a thread.
    ///
    /// - Parameters:
    ///   - refuse: called with each object that is left out; nil if such an object is an error.
    ///   - count: called with the number of objects that were read since the last call.
    ///   - check: called often; if it throws an error, the export ends.
    func write<Writer: RecordWriter>(
        with makeWriter: (OutputBuffer, FetchCursor) throws -> Writer, to sink: OutputBuffer.Sink,
        refusing refuse: ((ExportRefusal) throws -> Void)?, counting count: (Int64) -> Void, check: () throws -> Void
    ) throws -> Int64? {
        let windows = SharedWindows(
            KeyWindows(
                from: keys.lowerBound, to: keys.upperBound, rows: limits.windowRows, keysPerRow: limits.keysPerRow))
        let all = try stores.map {
            try reader($0, windows, takesRefusals: refuse != nil, makeWriter: makeWriter)
        }
        let readers: WindowReaders<[UInt8], Piece>
        do throws(ThreadError) {
            readers = try WindowReaders(all)
        } catch {
            return nil
        }
        defer { readers.stop() }
        var written: Int64 = 0
        while case (var piece, let reader)? = try readers.next(waiting: Self.patience, check) {
            if !piece.bytes.isEmpty { try sink(piece.bytes) }
            switch piece.news {
            case .refusal(let refusal): try refuse?(refusal)
            case .window(let rows, let records):
                written += records
                count(rows)
                try check()
            case nil: break
            }
            var bytes: [UInt8] = []
            swap(&bytes, &piece.bytes)
            reader.giveBack(consume bytes)
        }
        return written
    }

    private func reader<Writer: RecordWriter>(
        _ store: SQLiteStore, _ windows: SharedWindows, takesRefusals: Bool,
        makeWriter: (OutputBuffer, FetchCursor) throws -> Writer
    ) throws -> Reader {
        let cursor = try FetchCursor(plan, store: store, layout: layout)
        if Writer.takesStoredRows, limits.readsPages { try cursor.readPages() }
        /// The number of objects in the window that were left out.
        var refusals: Int64 = 0
        /// The current reader.
        var current: Reader?
        /// Passes bytes on, and replaces the buffer with one that was returned. Messages are passed on with an empty
        /// buffer.
        func put(_ bytes: inout [UInt8], _ news: News?) throws {
            guard let current else { return }
            var free = try current.takeFree()
            free.removeAll(keepingCapacity: true)
            if news == nil { swap(&free, &bytes) }
            current.put(Piece(bytes: consume free, news: news))
        }
        func put(_ news: News) throws {
            var none: [UInt8] = []
            try put(&none, news)
        }
        if takesRefusals {
            let (uuid, name) = (store.metadata.uuid, entity.name)
            cursor.onRefusal = { cursor, reason in
                refusals += 1
                let object = ManagedObjectID(storeUUID: uuid, entityName: name, primaryKey: cursor.primaryKey)
                try put(.refusal(ExportRefusal(uri: object.uri, reason: reason)))
            }
        }
        var writer = try makeWriter(OutputBuffer(handingOver: { try put(&$0, nil) }, limits: limits.output), cursor)
        return WindowReader(
            Array(repeating: [], count: max(1, limits.waitingBlocks)), on: store.connection, windows: windows,
            next: try store.connection.prepare("SELECT min(Z_PK) FROM \(table) WHERE Z_PK > ?1")
        ) { window, reader in
            (refusals, current) = (0, reader)
            defer { current = nil }
            try cursor.begin(keys: window)
            let records = try writer.writeRows(cursor)
            try writer.flush()
            try put(.window(rows: records + refusals, records: records))
            return records + refusals
        }
    }
}
