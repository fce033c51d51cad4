import Dispatch
import Glibc
import Threading
import Testing

@Suite struct WorkerThreadTests {
    @Test func workIsDoneOnAnotherThread() throws {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var other: pthread_t = 0
        try WorkerThread.start {
            other = pthread_self()
            done.signal()
        }
        done.wait()
        #expect(other != 0 && other != pthread_self())
    }

    /// The stack is larger than what a queue's thread has.
    @Test func workMayNestDeeply() throws {
        @Sendable func depth(_ level: Int) -> Int { level == 0 ? 0 : 1 + depth(level - 1) }
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var reached = 0
        try WorkerThread.start {
            reached = depth(20_000)
            done.signal()
        }
        done.wait()
        #expect(reached == 20_000)
    }

    @Test func aSystemThatStartsNoThreadIsAnErrorWithTheReason() {
        WorkerThread.$isRefused.withValue(true) {
            let error = #expect(throws: ThreadError.self) { try WorkerThread.start { Issue.record("done") } }
            #expect(error?.number == EAGAIN)
            #expect("\(String(describing: error))".contains("ulimit -u"))
        }
    }
}
