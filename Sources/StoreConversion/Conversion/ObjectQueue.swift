import Threading

/// Reads the objects of a store on another thread, while the caller's thread uses the objects before them.
///
/// Objects arrive in the order of the store, in a few batches that circulate, so that the number of objects that are
/// read ahead is bounded, and their memory is reused. Findings arrive before the object that was being read when they
/// occurred, and an error after all objects before it. If the system cannot start a thread, the caller's thread reads.
final class ObjectQueue: @unchecked Sendable {
    /// How much is read ahead.
    struct Limits: Sendable {
        /// The number of batches that circulate: one is in use, one waits, one is being filled. At least one.
        var batches = 3
        /// The number of objects in a batch; at least one.
        var objects = 64
        /// The number of bytes of texts, data and links at which a batch is full: enough to make the cost of passing it
        /// on negligible.
        var bytes = 128 << 10
        /// The size in bytes from which on an object is used before the next one is read, so that there is never more
        /// than one such object.
        var largeObject = 1 << 20
        /// The number of bytes of memory that an object keeps for the next object in its place.
        var keptBytes = 16 << 10
    }

    /// Objects, and the findings of reading them.
    private struct Batch: Sendable {
        var objects: [StoredObject]
        var count = 0
        /// The lists of findings, each with the index of the object that it precedes.
        var findings: [(place: Int, list: [ConversionFinding])] = []
    }

    private enum Element: Sendable {
        case batch(Batch)
        case end([ConversionFinding])
        case failure(any Error, [ConversionFinding])
        /// The last message of the thread, which then does not use the reader any more.
        case gone
    }

    private enum State {
        case new
        /// A separate thread reads.
        case threaded
        /// The caller's thread reads.
        case inline
        /// The reader has reached its end, or was abandoned.
        case ended
    }

    private let limits: Limits
    private let exchange: BufferExchange<Batch, Element>
    /// Only used by the thread while there is one, like the findings to which the reader adds.
    private var reader: (any ObjectReader)?
    private let found: ConversionFindings

    // Only used by the caller.
    private let findings: ConversionFindings?
    @exclusivity(unchecked) private var state = State.new
    @exclusivity(unchecked) private var current = Batch(objects: [])
    @exclusivity(unchecked) private var position = 0
    @exclusivity(unchecked) private var nextFindings = 0

    /// Creates a queue, which begins to read when the first object is requested.
    /// - Parameters:
    ///   - reader: the reader, which only the queue may use until it has ended.
    ///   - found: the list to which the reader adds its findings; only the reader may use it.
    ///   - findings: receives the findings on the caller's thread; nil if they were reported by an earlier pass.
    ///   - limits: how much is read ahead.
    init(
        _ reader: any ObjectReader, finding found: ConversionFindings, to findings: ConversionFindings?,
        limits: Limits
    ) {
        self.reader = reader
        self.found = found
        self.findings = findings
        self.limits = limits
        let objects = [StoredObject](repeating: StoredObject(), count: max(1, limits.objects))
        exchange = BufferExchange((0..<max(1, limits.batches)).map { _ in Batch(objects: objects) })
    }

    // MARK: - The thread's side

    private func run() {
        if let reader { exchange.put(read(reader)) }
        exchange.put(.gone)
    }

    /// Reads to the end, or until the caller stops it; returns the last message.
    private func read(_ reader: any ObjectReader) -> Element {
        while var batch = exchange.takeFree() {
            batch.count = 0
            batch.findings.removeAll(keepingCapacity: true)
            var ending: Element?
            var isLarge = false
            do {
                var bytes = 0
                while batch.count < batch.objects.count, bytes < max(1, limits.bytes), !isLarge {
                    let isThere = try reader.next(&batch.objects[batch.count])
                    let list = found.isEmpty ? [] : found.takeAll()
                    guard isThere else {
                        ending = .end(list)
                        break
                    }
                    if !list.isEmpty { batch.findings.append((batch.count, list)) }
                    let size = batch.objects[batch.count].size
                    batch.count += 1
                    bytes += size
                    isLarge = size >= max(1, limits.largeObject)
                }
            } catch {
                ending = .failure(error, found.takeAll())
            }
            if batch.count > 0 { exchange.put(.batch(consume batch)) }
            if let ending { return ending }
            if isLarge { exchange.waitForAll() }
        }
        return .end([])
    }

    // MARK: - The caller's side

    /// Replaces an object with the next one; returns false after the last one.
    /// - Throws: the error of the reader, after all objects before it.
    func next(_ object: inout StoredObject) throws -> Bool {
        switch state {
        case .new:
            do throws(ThreadError) {
                try WorkerThread.start { self.run() }
                state = .threaded
            } catch {
                state = .inline
            }
            return try next(&object)
        case .threaded:
            if position == current.count {
                object.giveBack(above: limits.keptBytes)
                guard try takeBatch() else { return false }
            }
            if nextFindings < current.findings.count, current.findings[nextFindings].place == position {
                add(current.findings[nextFindings].list)
                nextFindings += 1
            }
            swap(&object, &current.objects[position])
            position += 1
            return true
        case .inline:
            do {
                let isThere = try reader?.next(&object) ?? false
                if !found.isEmpty { add(found.takeAll()) }
                if !isThere { stop() }
                return isThere
            } catch {
                add(found.takeAll())
                stop()
                throw error
            }
        case .ended: return false
        }
    }

    /// Takes the next batch; returns false if there is none.
    private func takeBatch() throws -> Bool {
        giveBack()
        switch exchange.next() {
        case .batch(let batch):
            current = batch
            return true
        case .end(let list):
            add(list)
            stop()
            return false
        case .failure(let error, let list):
            add(list)
            stop()
            throw error
        case .gone:
            // This message is only taken by `stop()`, after the others.
            return false
        }
    }

    private func giveBack() {
        if !current.objects.isEmpty {
            var batch = Batch(objects: [])
            swap(&batch, &current)
            for place in 0..<batch.count { batch.objects[place].giveBack(above: limits.keptBytes) }
            exchange.giveBack(consume batch)
        }
        (position, nextFindings) = (0, 0)
    }

    private func add(_ list: [ConversionFinding]) {
        for finding in list { findings?.add(finding) }
    }

    /// Stops reading, and releases the reader, which closes its files. Waits for the batch that is being read.
    func stop() {
        if state == .threaded {
            giveBack()
            exchange.stop()
            waiting: while true {
                if case .gone = exchange.next() { break waiting }
            }
        }
        state = .ended
        reader = nil
    }
}
