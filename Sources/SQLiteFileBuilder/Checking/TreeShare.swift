internal import Synchronization

/// Decides which of two checks walks a subtree of a root: the first one that asks for it.
final class TreeShare: Sendable {
    private struct Subtree: Hashable {
        let root: UInt32
        /// The number of the child, from 0; -1 for the cells of the root itself.
        let child: Int
    }

    private struct State {
        var claimed: Set<Subtree> = []
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Returns whether the caller is to walk a child of a root.
    func claim(_ child: Int, of root: UInt32) -> Bool {
        state.withLock { $0.claimed.insert(Subtree(root: root, child: child)).inserted }
    }

    /// Returns whether the caller is to count the cells of a root.
    func claimRows(of root: UInt32) -> Bool { claim(-1, of: root) }

    /// Makes both checks stop, because the result is known.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }
}
