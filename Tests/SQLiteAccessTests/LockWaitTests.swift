import Testing

@testable import SQLiteAccess

@Suite struct LockWaitTests {
    /// The closure is asked thousands of times a second while long statements run. If asking costs more each time, or
    /// more stack, this does not end.
    @Test func askingAgainAndAgainCostsTheSame() {
        LockWait.onCancellation { false }
        var isCancelled = false
        for _ in 0..<500_000 where LockWait.isCancelled { isCancelled = true }
        #expect(!isCancelled)
    }
}
