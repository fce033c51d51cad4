public import DocumentReading
public import Threading

/// Reads the records of a store on a thread of its own, while the caller's thread uses those before.
///
/// Records come in the order of the file, in batches of which a few circulate: what is read ahead is bounded. An error
/// comes behind all records before it.
public final class XMLStoreRecordQueue: @unchecked Sendable {
    private enum Outcome {
        case batch([XMLStoreRecord], count: Int)
        case end
        case failure(DocumentError)
    }

    /// How much is read ahead.
    public struct Limits: Sendable {
        /// Batches that circulate: one is used, one waits, one is filled. At least one.
        public var batches = 3
        /// Records of a batch; at least one.
        public var records = 64
        /// A batch with this many bytes is full: enough that handing it over costs nothing.
        public var bytes = 128 << 10

        /// Makes the limits that a queue has unless told.
        public init() {}
    }

    private let limits: Limits
    private let exchange: BufferExchange<[XMLStoreRecord], Outcome>
    /// The thread's alone, once it has begun.
    private let reader: XMLStoreReader

    // The caller's alone.
    private var current: [XMLStoreRecord] = []
    private var count = 0
    private var position = 0
    private var isAtEnd = false

    /// Makes a queue, which `start()` sets to work.
    /// - Parameters:
    ///   - reader: no one else may use it from here on.
    ///   - limits: how much is read ahead.
    public init(_ reader: XMLStoreReader, limits: Limits = Limits()) {
        self.reader = reader
        self.limits = limits
        let batch = [XMLStoreRecord](repeating: XMLStoreRecord(), count: max(1, limits.records))
        exchange = BufferExchange((0..<max(1, limits.batches)).map { _ in batch })
    }

    /// Begins to read.
    /// - Throws: `ThreadError` if the system starts no thread.
    public func start() throws(ThreadError) {
        try WorkerThread.start { self.run() }
    }

    /// The thread's side.
    private func run() {
        while var batch = exchange.takeFree() {
            var (count, bytes) = (0, 0)
            do throws(DocumentError) {
                while count < batch.count, bytes < max(1, limits.bytes), try reader.next(into: &batch[count]) {
                    bytes += batch[count].bytes.count
                    count += 1
                }
            } catch {
                if count > 0 { exchange.put(.batch(batch, count: count)) }
                return exchange.put(.failure(error))
            }
            guard count > 0 else { return exchange.put(.end) }
            exchange.put(.batch(consume batch, count: count))
        }
    }

    // MARK: - The caller's side

    /// Exchanges a record for the next one; false behind the last.
    /// - Throws: `DocumentError` with the place of what is wrong, behind all records before it.
    public func next(into record: inout XMLStoreRecord) throws(DocumentError) -> Bool {
        if position == count {
            guard !isAtEnd else { return false }
            if count > 0 {
                let batch = current
                current = []
                exchange.giveBack(consume batch)
            }
            (count, position) = (0, 0)
            switch exchange.next() {
            case .batch(let batch, let filled): (current, count) = (batch, filled)
            case .end:
                isAtEnd = true
                return false
            case .failure(let error):
                isAtEnd = true
                throw error
            }
        }
        swap(&record, &current[position])
        position += 1
        return true
    }

    /// Lets the thread end with the batch that it is at.
    public func stop() {
        exchange.stop()
    }
}
