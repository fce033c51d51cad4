import FoundationEssentials
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreFetching
import Threading

/// What threads write of the objects of one entity, each of some windows of primary keys.
struct SharedRequest: Sendable {
    let plan: FetchPlan
    let layout: StoreLayout
    let entity: String
    let table: String
    let takesRefusals: Bool
}

/// Writes the records of an entity's objects with several threads; they come in the order of the primary keys, as one
/// thread would write them.
struct SharedExport {
    private let request: SharedRequest
    private let stores: [SQLiteStore]
    private let keys: ClosedRange<Int64>
    private let limits: ExportLimits

    /// - Parameter request: all objects of an entity in the order of their keys.
    /// - Returns: nil if one thread is as fast, or the store may change meanwhile.
    init?(
        _ request: FetchRequest, in store: SQLiteStore, layout: StoreLayout, takesRefusals: Bool, limits: ExportLimits
    ) throws {
        // With an index for a predicate or an order, SQLite would walk all of its entries for each window.
        guard request.predicate == nil, request.sortDescriptors.isEmpty, request.unwoundRelationship == nil,
            request.hiddenProperties.isEmpty, request.owner == nil,
            let entity = layout.model.entity(named: request.entityName),
            let table = layout.table(ofEntity: entity.slot)?.name
        else { return nil }
        func key(_ function: String) throws -> Int64? {
            try store.connection.value("SELECT \(function)(Z_PK) FROM main.\(SQLiteIdentifier.quoted(table))").integer
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
        self.request = SharedRequest(
            plan: try FetchCompiler.plan(limited, layout: layout, storeUUID: store.metadata.uuid), layout: layout,
            entity: entity.name, table: table, takesRefusals: takesRefusals)
        keys = first...last
        self.limits = limits
    }

    /// Writes all records. Returns how many there were; nil, and nothing is written, if the system starts no thread.
    ///
    /// - Parameters:
    ///   - refuse: called with each object that is left out.
    ///   - count: called with the number of objects that were read since the last call.
    func write<Writer: RecordWriter & SendableMetatype>(
        with makeWriter: (OutputBuffer, FetchCursor) throws -> Writer, to sink: OutputBuffer.Sink,
        refusing refuse: (ExportRefusal) throws -> Void, counting count: (Int64) -> Void
    ) throws -> Int64? {
        let windows = SharedWindows(
            KeyWindows(
                from: keys.lowerBound, to: keys.upperBound, rows: limits.windowRows, keysPerRow: limits.keysPerRow))
        let readers = try stores.map {
            try ExportReader(request, in: $0, windows: windows, limits: limits, makeWriter: makeWriter)
        }
        var started = 0
        defer {
            for reader in readers[..<started] { reader.askToStop() }
            for reader in readers[..<started] { reader.waitForEnd() }
        }
        for reader in readers {
            do throws(ThreadError) {
                try reader.start()
            } catch {
                return nil
            }
            started += 1
        }
        var heads = readers.map { $0.take() }
        var written: Int64 = 0
        // Windows are claimed in order, so that each reader's own ascend: the lowest of the heads is the next of all.
        while let place = Self.lowest(of: heads) {
            switch heads[place].content {
            case .bytes(let bytes): try sink(bytes)
            case .refusal(let refusal): try refuse(refusal)
            case .window(let rows, let records):
                written += records
                count(rows)
            case .failure(let error): throw error
            case .end: break
            }
            heads[place] = readers[place].take()
        }
        return written
    }

    private static func lowest(of heads: [ExportPieces.Piece]) -> Int? {
        var lowest: Int?
        for (place, head) in heads.enumerated() {
            if case .end = head.content { continue }
            if lowest.map({ head.window < heads[$0].window }) ?? true { lowest = place }
        }
        return lowest
    }
}
