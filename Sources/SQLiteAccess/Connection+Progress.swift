internal import CSQLite

/// The closure of `Connection.onProgress`, boxed so that C can point at it.
final class ProgressHandler {
    let isCancelled: () -> Bool

    init(_ isCancelled: @escaping () -> Bool) {
        self.isCancelled = isCancelled
    }
}

extension Connection {
    /// How often a statement asks whether the process is to end, in virtual machine instructions: some milliseconds.
    private static let instructionsPerQuestion: Int32 = 100_000

    /// Lets every long statement of a connection end where the process is asked to, a trigger without end among them.
    static func installCancellation(on handle: OpaquePointer) {
        unsafe sqlite3_progress_handler(
            handle, instructionsPerQuestion, { _ in LockWait.isCancelled ? 1 : 0 }, nil)
    }

    /// Calls a closure every so many virtual machine instructions of a statement; true ends it with "interrupted". So
    /// does what `LockWait.onCancellation` was given, without a closure too.
    ///
    /// nil takes the closure away. The closure must not use the connection.
    public func onProgress(everyInstructions: Int32, _ handler: (() -> Bool)?) {
        guard let open = unsafe handle else { return }
        guard let handler else {
            unsafe Self.installCancellation(on: open)
            progressHandler = nil
            return
        }
        let box = ProgressHandler(handler)
        let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
            guard let context = unsafe context else { return 0 }
            if LockWait.isCancelled { return 1 }
            return unsafe Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
        }
        unsafe sqlite3_progress_handler(open, everyInstructions, callback, Unmanaged.passUnretained(box).toOpaque())
        progressHandler = box
    }
}
