import Synchronization

/// Whether any value that was written is one that a plan would have something to say of.
final class ValueWatch: Sendable {
    private let hasFault = Atomic(false)

    /// Notes such a value, on any thread.
    func note() { hasFault.store(true, ordering: .relaxed) }

    /// Whether there was one.
    var isNoted: Bool { hasFault.load(ordering: .relaxed) }
}
