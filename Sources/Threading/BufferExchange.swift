internal import Dispatch
internal import Synchronization

/// Buffers that circulate between two threads: one fills them, the other uses their contents, in the same order.
///
/// There are only a few buffers, so that the amount of work done ahead is bounded. The result does not depend on which
/// thread is faster. A thread that passes a buffer on must consume it: a remaining copy, even for a moment, makes the
/// other side copy the contents. `Element` is a message of the filling thread: a filled buffer, the end, or a failure.
public final class BufferExchange<Buffer: Sendable, Element: Sendable>: Sendable {
    private struct Shelves {
        var free: [Buffer]
        var filled: [Element] = []
        var isStopped = false
    }

    private let count: Int
    private let shelves: Mutex<Shelves>
    /// The semaphores begin at 0, because a semaphore must not be deallocated with a lower value than its initial one.
    private let freeCount = DispatchSemaphore(value: 0)
    private let filledCount = DispatchSemaphore(value: 0)

    /// Makes an exchange with its circulating buffers.
    /// - Parameter buffers: the buffers, usually three: one being used, one waiting, and one being filled. The caller
    ///   must not keep references to them.
    public init(_ buffers: [Buffer]) {
        count = buffers.count
        shelves = Mutex(Shelves(free: buffers))
        for _ in 0..<count { freeCount.signal() }
    }

    // MARK: - The side that fills

    /// Waits for a free buffer to fill; nil if no more are needed.
    public func takeFree() -> Buffer? {
        freeCount.wait()
        return shelves.withLock { $0.isStopped ? nil : $0.free.popLast() }
    }

    /// Passes an element to the other side, which is its only owner if the caller consumed it.
    public func put(_ element: consuming Element) {
        var moved: Element? = consume element
        shelves.withLock { shelves in
            if let element = moved.take() { shelves.filled.append(element) }
        }
        filledCount.signal()
    }

    /// Waits until all buffers have been given back, so that their contents have been used.
    public func waitForAll() {
        for _ in 0..<count { freeCount.wait() }
        for _ in 0..<count { freeCount.signal() }
    }

    /// Whether the consumer has called `stop()`, so that no more elements are needed.
    public var isStopped: Bool { shelves.withLock { $0.isStopped } }

    // MARK: - The side that uses

    /// Waits for the next element, and returns it.
    public func next() -> Element {
        filledCount.wait()
        return first()
    }

    /// Returns the next element; nil if there is none within this time.
    public func next(within milliseconds: Int) -> Element? {
        guard filledCount.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return first()
    }

    private func first() -> Element {
        shelves.withLock { $0.filled.removeFirst() }
    }

    /// Gives a buffer back to be filled again, in place if the caller consumed it.
    public func giveBack(_ buffer: consuming Buffer) {
        var moved: Buffer? = consume buffer
        shelves.withLock { shelves in
            if let buffer = moved.take() { shelves.free.append(buffer) }
        }
        freeCount.signal()
    }

    /// Lets the producer end after its current buffer, without waiting for it.
    public func stop() {
        shelves.withLock { $0.isStopped = true }
        // Once for each buffer for which the producer may be waiting.
        for _ in 0..<count { freeCount.signal() }
    }
}
