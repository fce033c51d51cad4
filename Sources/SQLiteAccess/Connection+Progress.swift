internal import CSQLite

/// The closure of `Connection.onProgress`, boxed so that C can point at it.
final class ProgressHandler {
    let isCancelled: () -> Bool

    init(_ isCancelled: @escaping () -> Bool) {
        self.isCancelled = isCancelled
    }
}

extension Connection {
    /// Calls a closure every so many virtual machine instructions of a statement; true ends it with "interrupted".
    ///
    /// nil takes the closure away. The closure must not use the connection.
    public func onProgress(everyInstructions: Int32, _ handler: (() -> Bool)?) {
        guard let open = unsafe handle else { return }
        guard let handler else {
            unsafe sqlite3_progress_handler(open, 0, nil, nil)
            progressHandler = nil
            return
        }
        let box = ProgressHandler(handler)
        let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
            guard let context = unsafe context else { return 0 }
            return unsafe Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
        }
        unsafe sqlite3_progress_handler(open, everyInstructions, callback, Unmanaged.passUnretained(box).toOpaque())
        progressHandler = box
    }
}
