import Threading

/// What a thread has written, on its way to the one that writes the file.
final class ExportPieces: @unchecked Sendable {
    enum Content: Sendable {
        /// Some records of a window.
        case bytes([UInt8])
        /// An object of a window that was left out.
        case refusal(ExportRefusal)
        /// The end of a window.
        case window(rows: Int64, records: Int64)
        case failure(any Error)
        /// There are no more.
        case end
    }

    struct Piece: Sendable {
        let content: Content
        /// The first key of the window that it is from.
        let window: Int64
    }

    /// No one wants more.
    struct Stopped: Error {}

    private let exchange: BufferExchange<Void, Piece>
    /// The rows of the window that the thread has read; the thread's alone, as the window is.
    var rows: Int64 = 0
    private var window: Int64 = 0

    init(_ limits: ExportLimits) {
        exchange = BufferExchange(Array(repeating: (), count: max(1, limits.waitingBlocks)))
    }

    // MARK: The thread's side

    var isStopped: Bool { exchange.isStopped }

    func begin(_ window: Int64) {
        self.window = window
        rows = 0
    }

    /// Waits until the other side has taken enough of what was put before.
    func put(_ content: Content) throws {
        guard exchange.takeFree() != nil else { throw Stopped() }
        exchange.put(Piece(content: content, window: window))
    }

    /// Ends without waiting: nothing comes behind it.
    func end(with error: (any Error)? = nil) {
        exchange.put(Piece(content: error.map { .failure($0) } ?? .end, window: window))
    }

    // MARK: The caller's side

    func take() -> Piece {
        let piece = exchange.next()
        switch piece.content {
        case .bytes, .refusal, .window: exchange.giveBack(())
        case .failure, .end: break
        }
        return piece
    }

    func stop() { exchange.stop() }
}
