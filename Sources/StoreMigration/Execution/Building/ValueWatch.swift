import Synchronization

/// A flag that is set if a value that was written may cause a finding of the plan.
final class ValueWatch: Sendable {
    private let hasFault = Atomic(false)

    /// Sets the flag; may be called on any thread.
    func note() { hasFault.store(true, ordering: .relaxed) }

    /// Whether the flag is set.
    var isNoted: Bool { hasFault.load(ordering: .relaxed) }
}
