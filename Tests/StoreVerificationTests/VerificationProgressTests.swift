import PersistentStores
import SQLiteAccess
import StoreVerification
import Synchronization
import Testing

@Suite struct VerificationProgressTests {
    @Test func eachTableIsNamedWithTheRowsOfThoseBefore() throws {
        let store = try SampleStore()
        let seen = Mutex<[VerificationProgress]>([])
        var options = StoreVerifier.Options()
        options.onProgress = { progress in seen.withLock { $0.append(progress) } }
        let report = try store.report(options)

        let connection = try Connection(path: store.path, access: .readOnly)
        var done: Int64 = 0
        let steps = seen.withLock { $0 }
        for step in steps {
            #expect(step.rowsDone == done, "\(step.table)")
            #expect(step.rowsTotal == report.rows)
            done += try connection.value("SELECT count(*) FROM \(step.table)").integer ?? 0
        }
        #expect(steps.count > 3)
        #expect(done == report.rows)
    }
}
