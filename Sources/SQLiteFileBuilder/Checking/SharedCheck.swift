internal import SQLiteAccess
internal import Synchronization
internal import Threading

/// Checks the trees of a file on two threads, each of which walks some of the subtrees of every root.
///
/// It only determines whether the file is sound. To report faults in the order of the trees, a single check walks all
/// of them again.
struct SharedCheck {
    private enum Outcome: Sendable {
        case done(Walk)
        case failure(SQLiteError)
    }

    /// The result of the other thread, which only this thread uses then.
    private struct Walk: @unchecked Sendable {
        let check: PageCheck
    }

    /// The pages as the other thread reads them.
    private struct OtherPages: @unchecked Sendable {
        let pages: CheckedPages
    }

    let pages: CheckedPages
    let limits: DatabaseCheck.Limits
    /// The number of faults after which the check that follows stops.
    let most: Int
    let isCancelled: (() -> Bool)?

    /// Returns a check that has walked all trees; nil if they are not sound, or if the system cannot start a thread or
    /// open the file once more.
    func walk(_ trees: [TreeShape]) throws(SQLiteError) -> PageCheck? {
        guard let others = pages.another().map(OtherPages.init(pages:)) else { return nil }
        let share = TreeShare()
        let exchange = BufferExchange<Void, Outcome>([])
        do throws(ThreadError) {
            try WorkerThread.start { [limits] in
                let check = PageCheck(others.pages, most: 1, sharing: share, limits) { share.isStopped }
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
        // The other thread reads the file, so the transaction cannot end before it has.
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
