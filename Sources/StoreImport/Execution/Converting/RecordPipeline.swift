import Dispatch
import Foundation
import Synchronization

/// Reads and converts the batches of one source on a thread of its own, while the caller's thread writes the ones
/// before.
///
/// Batches come in the order of the source, and a few circulate: what is read ahead is bounded. Which thread is faster
/// makes no difference to what comes out.
final class RecordPipeline: @unchecked Sendable {
    private enum Outcome {
        case batch(ConvertedBatch)
        case end
        case failure(any Error)
    }

    private struct Shelves {
        var free: [ConvertedBatch]
        var filled: [Outcome] = []
        var isStopped = false
    }

    /// One is written, one waits, one is filled.
    private static let batchCount = 3
    /// How long the caller waits for a batch before it asks whether to go on, in milliseconds.
    private static let patience = 100
    /// The nesting of records is bounded; this is ample for it, in bytes.
    private static let stackSize = 8 << 20

    private let shelves: Mutex<Shelves>
    /// Begins with none, as a semaphore must not go with less than it began with.
    private let freeCount = DispatchSemaphore(value: 0)
    private let filledCount = DispatchSemaphore(value: 0)
    private let converter: RecordConverter
    /// The thread's alone.
    private var source: any RecordSource

    init(_ source: any RecordSource, converter: RecordConverter, limits: RecordBatch.Limits) {
        self.source = source
        self.converter = converter
        shelves = Mutex(
            Shelves(free: (0..<Self.batchCount).map { _ in ConvertedBatch(for: converter.source, limits: limits) }))
        for _ in 0..<Self.batchCount { freeCount.signal() }
        let thread = Thread { [self] in run() }
        thread.stackSize = Self.stackSize
        thread.start()
    }

    // MARK: - The thread's side

    private func run() {
        var isFirst = true
        while var work = takeFree() {
            do {
                guard try source.next(into: &work.batch) else { return put(.end) }
                // An XML document knows what is around its records only after the first.
                work.rejectSource = isFirst ? RejectSource(source) : nil
                isFirst = false
                converter.convert(&work)
                put(.batch(work))
            } catch {
                return put(.failure(error))
            }
        }
    }

    /// A batch to fill; nil when there is no more to do.
    private func takeFree() -> ConvertedBatch? {
        freeCount.wait()
        return shelves.withLock { $0.isStopped ? nil : $0.free.popLast() }
    }

    private func put(_ outcome: Outcome) {
        shelves.withLock { $0.filled.append(outcome) }
        filledCount.signal()
    }

    // MARK: - The caller's side

    /// The next batch; nil at the end of the source.
    ///
    /// - Parameter isCancelled: asked while there is none yet.
    /// - Throws: what the source throws, and `ImportError.cancelled`.
    func next(isCancelled: (() -> Bool)?) throws -> ConvertedBatch? {
        while filledCount.wait(timeout: .now() + .milliseconds(Self.patience)) == .timedOut {
            if isCancelled?() ?? false { throw ImportError.cancelled }
        }
        switch shelves.withLock({ $0.filled.removeFirst() }) {
        case .batch(let batch): return batch
        case .end: return nil
        case .failure(let error): throw error
        }
    }

    /// Gives a batch back to be filled again.
    func recycle(_ batch: consuming ConvertedBatch) {
        shelves.withLock { [batch] in $0.free.append(batch) }
        freeCount.signal()
    }

    /// Lets the thread end with the batch that it is at. It is not waited for: it may be waiting itself, for standard
    /// input.
    func stop() {
        shelves.withLock { $0.isStopped = true }
        freeCount.signal()
    }
}
