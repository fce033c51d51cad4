import RecordSources
import Threading

/// The creation of a file's converted batches on another thread, while the caller's thread writes the ones before.
///
/// Batches arrive in the order of the source, and a few of them circulate, so that the number of records that are read
/// ahead is bounded. A third thread may look up their objects in between.
final class RecordPipeline: @unchecked Sendable {
    private enum Outcome {
        case batch(ConvertedBatch)
        case end
        case failure(any Error)
    }

    /// The interval in milliseconds at which the caller checks for cancellation while it waits for a batch.
    private static let patience = 100

    private let exchange: BufferExchange<ConvertedBatch, Outcome>
    private let matcher: RowMatcher?
    /// The batches whose objects have been looked up; the same as `exchange` if no thread does this.
    private let matched: BufferExchange<ConvertedBatch, Outcome>
    /// Only used by the thread.
    private var records: any ConvertedRecords
    private var watch: PathWatch?
    private let preparation: BatchPreparation?

    /// Begins to read. Throws an error if the system cannot start a thread.
    ///
    /// - Parameters:
    ///   - source: the source for which the records are converted.
    ///   - batchCount: the number of batches that circulate; with three, one is written, one waits, and one is filled.
    ///   - watch: the paths that are searched in the records.
    ///   - preparation: called with each converted batch; nil for nothing.
    ///   - matcher: looks up objects, on a separate thread with an additional batch; nil for nothing.
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

    /// Runs on the reading thread.
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

    /// Runs on the thread that looks up objects.
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

    /// Returns the next batch; nil at the end of the source.
    ///
    /// - Parameter isCancelled: called while the next batch is not available yet.
    /// - Throws: the errors of the source, and `ImportError.cancelled`.
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

    /// Returns a batch to be filled again.
    func recycle(_ batch: consuming ConvertedBatch) {
        exchange.giveBack(consume batch)
    }

    /// Makes the thread end after its current batch. This method does not wait for the thread, which may be waiting for
    /// standard input.
    func stop() {
        matcher?.stop()
        exchange.stop()
    }
}
