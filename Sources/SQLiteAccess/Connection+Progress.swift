internal import CSQLite

/// The closure of `Connection.onProgress`, boxed so that C can hold a pointer to it.
final class ProgressHandler {
    let isCancelled: () -> Bool

    init(_ isCancelled: @escaping () -> Bool) {
        self.isCancelled = isCancelled
    }
}

extension Connection {
    /// The number of virtual machine instructions between two checks for cancellation: some milliseconds.
    private static let instructionsPerQuestion: Int32 = 100_000

    /// Makes long statements of a connection end if the process is asked to, including endless triggers.
    static func installCancellation(on handle: OpaquePointer) {
        unsafe sqlite3_progress_handler(
            handle, instructionsPerQuestion, { _ in LockWait.isCancelled ? 1 : 0 }, nil)
    }

    /// Whether the closure of `onProgress` or that of `LockWait.onCancellation` returns true, for work that reads the
    /// database without statements.
    public var isCancelled: Bool { LockWait.isCancelled || progressHandler?.isCancelled() ?? false }

    /// Calls a closure at intervals of virtual machine instructions; true ends the statement with "interrupted". The
    /// closure of `LockWait.onCancellation` is called as well, even if this one is nil.
    ///
    /// nil removes the closure. The closure must not use the connection.
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
