internal import SQLiteAccess
internal import Synchronization
internal import Threading

/// Checks the trees of a file on two threads, each with some subtrees of every root.
///
/// It finds out whether all is well. What is wrong is for one check of all trees to say, in their order.
struct SharedCheck {
    private enum Outcome: Sendable {
        case done(Walk)
        case failure(SQLiteError)
    }

    /// What the other thread leaves; this one has it alone then.
    private struct Walk: @unchecked Sendable {
        let check: PageCheck
    }

    let pages: CheckedPages
    let limits: DatabaseCheck.Limits
    /// How many faults are enough of what is checked afterwards.
    let most: Int
    let isCancelled: (() -> Bool)?

    /// A check that has walked all trees, if they are sound; nil if not, or where the system starts no thread.
    func walk(_ trees: [TreeShape]) throws(SQLiteError) -> PageCheck? {
        let share = TreeShare()
        let exchange = BufferExchange<Void, Outcome>([])
        do throws(ThreadError) {
            try WorkerThread.start { [pages, limits] in
                let check = PageCheck(pages, most: 1, sharing: share, limits) { share.isStopped }
                do throws(SQLiteError) {
                    try check.checkTrees(trees)
                    if !check.faults.isEmpty { share.stop() }
                    exchange.put(.done(Walk(check: check)))
                } catch {
                    exchange.put(.failure(error))
                }
            }
        } catch {
            return nil
        }
        let isCancelled = isCancelled
        let check = PageCheck(pages, most: 1, sharing: share, limits) {
            share.isStopped || isCancelled?() ?? false
        }
        var failure: SQLiteError?
        do throws(SQLiteError) {
            try check.checkTrees(trees)
        } catch {
            failure = error
        }
        if failure != nil || !check.faults.isEmpty { share.stop() }
        // The pages are this thread's again only when the other one has ended, which may have most of them.
        var outcome = exchange.next(within: 0)
        while outcome == nil {
            if isCancelled?() ?? false { share.stop() }
            outcome = exchange.next(within: limits.patience)
        }
        if isCancelled?() ?? false { throw SQLiteError.interrupted(path: pages.path) }
        if let failure {
            guard failure.isInterrupted else { throw failure }
            return nil
        }
        guard case .done(let other) = outcome, check.join(other.check) else { return nil }
        check.most = most
        return check
    }
}
