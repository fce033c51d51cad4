internal import Glibc

/// Runs work on a separate thread.
///
/// Dispatch queues and Foundation's threads wait forever if the system cannot start a new thread, for example because
/// of a limit on processes; here that is an error.
public enum WorkerThread {
    /// The stack size in bytes: ample for expressions and records, whose nesting is bounded.
    private static let stackSize = 8 << 20

    /// Whether starting threads fails, so that tests can cover work on the calling thread.
    @TaskLocal package static var isRefused = false

    /// Starts the work on a new thread, and returns immediately.
    /// - Throws: `ThreadError` if the system cannot start a thread; then no work has been done.
    public static func start(_ work: @escaping @Sendable () -> Void) throws(ThreadError) {
        guard !isRefused else { throw ThreadError(number: EAGAIN) }
        let box = Unmanaged.passRetained(Work(work))
        let number = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer -> Int32 in
            guard let attributes = buffer.baseAddress else { return ENOMEM }
            pthread_attr_init(attributes)
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setstacksize(attributes, stackSize)
            pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            var thread: pthread_t = 0
            return pthread_create(
                &thread, attributes,
                { context in
                    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, box.toOpaque())
        }
        guard number == 0 else {
            box.release()
            throw ThreadError(number: number)
        }
    }

    /// The closure, boxed so that C can hold a pointer to it.
    private final class Work {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
