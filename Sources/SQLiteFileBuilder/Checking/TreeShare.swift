internal import Synchronization

/// Which of two checks walks a subtree of a root: whoever comes first.
final class TreeShare: Sendable {
    private struct Subtree: Hashable {
        let root: UInt32
        /// From 0; -1 for the cells of the root.
        let child: Int
    }

    private struct State {
        var claimed: Set<Subtree> = []
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Whether the caller walks a child of a root.
    func claim(_ child: Int, of root: UInt32) -> Bool {
        state.withLock { $0.claimed.insert(Subtree(root: root, child: child)).inserted }
    }

    /// Whether the caller counts what is in the cells of a root itself.
    func claimRows(of root: UInt32) -> Bool { claim(-1, of: root) }

    /// Nothing more is to be found out.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }
}
