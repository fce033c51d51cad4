internal import Dispatch
internal import Synchronization

/// Buffers that go round between two threads: one fills them, the other uses what is in them, in the same order.
///
/// A few circulate, so that what is done ahead is bounded. Which thread is faster makes no difference to what comes
/// out. Whoever hands one over consumes it: a copy that is left, be it for a moment, makes the other side copy all that
/// is in it. `Element` is what the filling thread has to say: a buffer with something in it, the end, a failure.
public final class BufferExchange<Buffer: Sendable, Element: Sendable>: Sendable {
    private struct Shelves {
        var free: [Buffer]
        var filled: [Element] = []
        var isStopped = false
    }

    private let count: Int
    private let shelves: Mutex<Shelves>
    /// Begin with none, as a semaphore must not go with less than it began with.
    private let freeCount = DispatchSemaphore(value: 0)
    private let filledCount = DispatchSemaphore(value: 0)

    /// Makes an exchange with the buffers that circulate in it.
    /// - Parameter buffers: one is used, one waits, one is filled: three, mostly. No one else may keep them.
    public init(_ buffers: [Buffer]) {
        count = buffers.count
        shelves = Mutex(Shelves(free: buffers))
        for _ in 0..<count { freeCount.signal() }
    }

    // MARK: - The side that fills

    /// Waits for a buffer to fill; nil if no more are wanted.
    public func takeFree() -> Buffer? {
        freeCount.wait()
        return shelves.withLock { $0.isStopped ? nil : $0.free.popLast() }
    }

    /// Hands something over: the other side has it alone, if the caller consumed it.
    public func put(_ element: consuming Element) {
        var moved: Element? = consume element
        shelves.withLock { shelves in
            if let element = moved.take() { shelves.filled.append(element) }
        }
        filledCount.signal()
    }

    /// Waits until all buffers have come back: goes no further before what is in them has been used.
    public func waitForAll() {
        for _ in 0..<count { freeCount.wait() }
        for _ in 0..<count { freeCount.signal() }
    }

    /// Whether the side that uses the buffers has called `stop()`: no more are wanted.
    public var isStopped: Bool { shelves.withLock { $0.isStopped } }

    // MARK: - The side that uses

    /// The next of what was put, when it is there.
    public func next() -> Element {
        filledCount.wait()
        return first()
    }

    /// The next of what was put; nil if there is none within some milliseconds.
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

    /// Lets the side that fills end with the buffer that it is at. It is not waited for.
    public func stop() {
        shelves.withLock { $0.isStopped = true }
        // As often as it may wait.
        for _ in 0..<count { freeCount.signal() }
    }
}
