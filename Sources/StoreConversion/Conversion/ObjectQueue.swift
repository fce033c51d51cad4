import Threading

/// Reads the objects of a store on a thread of its own, while the caller's thread uses those before.
///
/// Objects come in the order of the store, in batches of which a few circulate: what is read ahead is bounded, and the
/// memory of objects is used again. Findings come before the object that was read when they came up, and an error
/// behind all objects before it. Where the system starts no thread, the caller's own reads.
final class ObjectQueue: @unchecked Sendable {
    /// How much is read ahead.
    struct Limits: Sendable {
        /// Batches that circulate: one is used, one waits, one is filled. At least one.
        var batches = 3
        /// Objects of a batch; at least one.
        var objects = 64
        /// A batch with this many bytes of texts, data and links is full: enough that handing it over costs nothing.
        var bytes = 128 << 10
        /// An object with this many bytes is used before the next one is read: there is never more than one of them.
        var largeObject = 1 << 20
        /// Bytes that an object keeps for the next one in its place.
        var keptBytes = 16 << 10
    }

    /// Objects, and the findings of reading them.
    private struct Batch: Sendable {
        var objects: [StoredObject]
        var count = 0
        /// Each list with the place of the object that it comes before.
        var findings: [(place: Int, list: [ConversionFinding])] = []
    }

    private enum Element: Sendable {
        case batch(Batch)
        case end([ConversionFinding])
        case failure(any Error, [ConversionFinding])
        /// The last that the thread says: it has nothing more to do with the reader.
        case gone
    }

    private enum State {
        case new
        /// There is a thread that reads.
        case threaded
        /// The caller's thread reads.
        case inline
        /// The reader is at its end, or was given up.
        case ended
    }

    private let limits: Limits
    private let exchange: BufferExchange<Batch, Element>
    /// The thread's alone while there is one, as are the findings that the reader adds to.
    private var reader: (any ObjectReader)?
    private let found: ConversionFindings

    // The caller's alone.
    private let findings: ConversionFindings?
    @exclusivity(unchecked) private var state = State.new
    @exclusivity(unchecked) private var current = Batch(objects: [])
    @exclusivity(unchecked) private var position = 0
    @exclusivity(unchecked) private var nextFindings = 0

    /// Makes a queue, which begins to read when the first object is asked for.
    /// - Parameters:
    ///   - reader: no one else may use it from here on, until the queue has ended.
    ///   - found: what the reader adds its findings to; no one else may.
    ///   - findings: gets them, on the caller's thread; nil if another reading tells them.
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

    /// Reads to the end, or until the caller has enough; what is said at last.
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

    /// Exchanges an object for the next one; false behind the last.
    /// - Throws: what the reader throws, behind all objects before it.
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

    /// Takes the next batch; false if there is none.
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
            // Only `stop()` takes it, behind the others.
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

    /// Ends the reading, and lets the reader go: what it has open is closed then. Waits for the batch that is read.
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
