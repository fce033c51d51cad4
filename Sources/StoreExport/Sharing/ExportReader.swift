import Dispatch
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreFetching
import Threading

/// Reads windows of an entity's objects, and writes their records into blocks, on a thread of its own.
///
/// Several readers claim windows in turn, each with a connection of its own; how far one is ahead is bounded.
final class ExportReader<Writer: RecordWriter & SendableMetatype>: @unchecked Sendable {
    /// What the thread alone uses; it goes before the thread says that it has ended.
    private final class Work {
        let store: SQLiteStore
        let cursor: FetchCursor
        /// The next key behind one.
        let next: Statement
        var writer: Writer

        init(_ store: SQLiteStore, _ cursor: FetchCursor, next: Statement, _ writer: Writer) {
            (self.store, self.cursor, self.next, self.writer) = (store, cursor, next, writer)
        }
    }

    private var work: Work?
    private let windows: SharedWindows
    private let pieces: ExportPieces
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - request: what is written of the objects of one entity.
    ///   - store: the thread's alone.
    init(
        _ request: SharedRequest, in store: SQLiteStore, windows: SharedWindows, limits: ExportLimits,
        makeWriter: (OutputBuffer, FetchCursor) throws -> Writer
    ) throws {
        self.windows = windows
        let pieces = ExportPieces(limits)
        self.pieces = pieces
        let cursor = try FetchCursor(request.plan, store: store, layout: request.layout)
        cursor.accepts = { _ in
            pieces.rows &+= 1
            // A window without output asks now and then, too.
            if pieces.rows & 0xff == 0, pieces.isStopped { throw ExportPieces.Stopped() }
            return true
        }
        if request.takesRefusals {
            let (uuid, entity) = (store.metadata.uuid, request.entity)
            cursor.onRefusal = { cursor, reason in
                let object = ManagedObjectID(storeUUID: uuid, entityName: entity, primaryKey: cursor.primaryKey)
                try pieces.put(.refusal(ExportRefusal(uri: object.uri, reason: reason)))
            }
        }
        work = Work(
            store, cursor,
            next: try store.connection.prepare(
                "SELECT min(Z_PK) FROM \(SQLiteIdentifier.quoted(request.table)) WHERE Z_PK > ?1"),
            try makeWriter(OutputBuffer(limits: limits.output) { try pieces.put(.bytes($0)) }, cursor))
    }

    /// Begins to read. Throws if the system starts no thread; there is nothing to wait for then.
    func start() throws(ThreadError) {
        try WorkerThread.start { [self] in
            run()
            work = nil
            ended.signal()
        }
    }

    // MARK: - The thread's side

    private func run() {
        while !pieces.isStopped, let window = windows.claim() {
            pieces.begin(window.lowerBound)
            do {
                try read(window)
            } catch {
                return pieces.end(with: error)
            }
        }
        pieces.end()
    }

    private func read(_ window: ClosedRange<Int64>) throws {
        guard let work else { return }
        try work.cursor.begin(keys: window)
        let records = try work.writer.writeRows(work.cursor)
        try work.writer.flush()
        let rows = pieces.rows
        if windows.note(rows) {
            work.next.reset()
            try work.next.bindInteger(window.upperBound, at: 1)
            windows.skip(to: try work.next.step() && !work.next.isNull(0) ? work.next.integer(0) : nil)
            work.next.reset()
        }
        try pieces.put(.window(rows: rows, records: records))
    }

    // MARK: - The caller's side

    /// Waits for what comes next; nothing comes behind a failure or an end.
    func take() -> ExportPieces.Piece { pieces.take() }

    /// Lets the thread end with what it is at.
    func askToStop() { pieces.stop() }

    /// Waits for the thread: its connection must be closed before the files change.
    func waitForEnd() { ended.wait() }
}
