import RecordSources
import Threading

/// Makes the converted batches of one file on a thread of its own, while the caller's thread writes the ones
/// before.
///
/// Batches come in the order of the source, and a few circulate: what is read ahead is bounded. A third thread may look for
/// their objects in between.
final class RecordPipeline: @unchecked Sendable {
    private enum Outcome {
        case batch(ConvertedBatch)
        case end
        case failure(any Error)
    }

    /// How long the caller waits for a batch before it asks whether to go on, in milliseconds.
    private static let patience = 100

    private let exchange: BufferExchange<ConvertedBatch, Outcome>
    private let matcher: RowMatcher?
    /// Batches whose objects were looked for; the same as `exchange` if nothing looks for them.
    private let matched: BufferExchange<ConvertedBatch, Outcome>
    /// The thread's alone.
    private var records: any ConvertedRecords
    private var watch: PathWatch?
    private let preparation: BatchPreparation?

    /// Begins to read. Throws if the system starts no thread.
    ///
    /// - Parameters:
    ///   - source: what the records are converted for.
    ///   - batchCount: the batches that circulate; with three, one is written, one waits, and one is filled.
    ///   - watch: the paths that are looked for in the records.
    ///   - preparation: what is done with converted batches; nil for nothing.
    ///   - matcher: what looks for objects, on a thread of its own with a batch more; nil for nothing.
    init(
        _ records: any ConvertedRecords, for source: CompiledSource, limits: RecordBatch.Limits,
        batchCount: Int = ImportLimits().circulatingBatches, watch: PathWatch? = nil,
        preparation: BatchPreparation? = nil, matcher: RowMatcher? = nil
    ) throws(ThreadError) {
        self.watch = watch
        self.preparation = preparation
        self.records = records
        self.matcher = matcher
        let count = max(1, batchCount) + (matcher == nil ? 0 : 1)
        exchange = BufferExchange((0..<count).map { _ in ConvertedBatch(for: source, limits: limits) })
        matched = matcher == nil ? exchange : BufferExchange([])
        try WorkerThread.start { [self] in run() }
        guard matcher != nil else { return }
        do {
            try WorkerThread.start { [self] in match() }
        } catch {
            exchange.stop()
            throw error
        }
    }

    /// The thread's side.
    private func run() {
        while var work = exchange.takeFree() {
            var isMore = false
            do {
                isMore = try fill(&work)
            } catch {
                return exchange.put(.failure(error))
            }
            guard isMore else { break }
            exchange.put(.batch(consume work))
        }
        exchange.put(.end)
    }

    /// The side of the thread in between.
    private func match() {
        while true {
            switch exchange.next() {
            case .batch(var work):
                matcher?.match(&work)
                matched.put(.batch(consume work))
            case let outcome: return matched.put(outcome)
            }
        }
    }

    private func fill(_ work: inout ConvertedBatch) throws -> Bool {
        guard try records.next(into: &work) else { return false }
        preparation?.prepare(&work)
        work.missingPaths = nil
        if watch?.observe(work) ?? false { work.missingPaths = watch?.missing }
        return true
    }

    // MARK: - The caller's side

    /// The next batch; nil at the end of the source.
    ///
    /// - Parameter isCancelled: asked while there is none yet.
    /// - Throws: what the source throws, and `ImportError.cancelled`.
    func next(isCancelled: (() -> Bool)?) throws -> ConvertedBatch? {
        while true {
            switch matched.next(within: Self.patience) {
            case .batch(let batch): return batch
            case .end: return nil
            case .failure(let error): throw error
            case nil:
                if isCancelled?() ?? false { throw ImportError.cancelled }
            }
        }
    }

    /// Gives a batch back to be filled again.
    func recycle(_ batch: consuming ConvertedBatch) {
        exchange.giveBack(consume batch)
    }

    /// Lets the thread end with the batch that it is at. It is not waited for: it may be waiting itself, for standard
    /// input.
    func stop() {
        matcher?.stop()
        exchange.stop()
    }
}
