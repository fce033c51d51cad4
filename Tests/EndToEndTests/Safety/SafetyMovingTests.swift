import Foundation
import PersistentStores
import SQLiteAccess
import Synchronization
import TestSupport
import Testing

/// `ferry move` beside an app that opens, writes and closes a store all the time.
@Suite struct SafetyMovingTests {
    /// An app on a thread of its own: each row is committed, and counted once SQLite has said so.
    private final class App: Sendable {
        private struct State {
            var isEnding = false
            var acknowledged: [Int64] = []
        }

        private let state = Mutex(State())
        private let hasEnded = DispatchSemaphore(value: 0)

        /// - Parameters:
        ///   - places: where the store may be.
        ///   - pause: milliseconds between two rows, in which it opens and closes the store without writing.
        init(_ places: [String], firstRow: Int64, pause: Int = 0) {
            let thread = Thread { [self] in
                var row = firstRow
                while !state.withLock(\.isEnding) {
                    for place in places where Self.insert(row, into: place) {
                        state.withLock { $0.acknowledged.append(row) }
                        row += 1
                    }
                    let end = ContinuousClock.now + .milliseconds(pause)
                    while ContinuousClock.now < end { places.forEach(Self.read) }
                }
                hasEnded.signal()
            }
            thread.start()
        }

        private static func insert(_ row: Int64, into path: String) -> Bool {
            guard FileSystem.exists(path), let connection = try? Connection(path: path, access: .readWrite) else {
                return false
            }
            // An app has its connection a while before it writes: the store may move meanwhile.
            usleep(UInt32(row % 7) * 300)
            connection.setBusyTimeout(milliseconds: 100)
            return (try? connection.execute("INSERT INTO T VALUES (\(row))")) != nil
        }

        private static func read(_ path: String) {
            guard FileSystem.exists(path), let connection = try? Connection(path: path, access: .readWrite) else {
                return
            }
            _ = try? connection.value("SELECT count(*) FROM T")
        }

        /// Ends it, and gives the rows that the store must have.
        func end() -> [Int64] {
            state.withLock { $0.isEnding = true }
            hasEnded.wait()
            return state.withLock(\.acknowledged)
        }
    }

    private static func make(_ path: String, mode: String) throws {
        let connection = try Connection(path: path, access: .create)
        _ = try connection.value("PRAGMA journal_mode = \(mode)")
        try connection.execute("CREATE TABLE T (X INTEGER PRIMARY KEY)")
        try connection.close()
    }

    private static func rows(_ path: String) throws -> Set<Int64> {
        let connection = try Connection(path: path, access: .readWrite, busyTimeout: 2000)
        #expect(try connection.value("PRAGMA integrity_check") == .string("ok"))
        return Set(try connection.rows("SELECT X FROM T").compactMap(\.[0].integer))
    }

    @Test(arguments: ["WAL", "DELETE"])
    func noRowIsLostThatAnAppHasCommitted(mode: String) throws {
        let directory = try TemporaryDirectory()
        let places = [directory.file("A.sqlite"), directory.file("B.sqlite")]
        try Self.make(places[0], mode: mode)
        var moves = 0
        var expected = Set<Int64>()
        for round in 0..<(TestSettings.isFast ? 4 : 12) {
            let from = places.first(where: FileSystem.exists) ?? ""
            let to = from == places[0] ? places[1] : places[0]
            let app = App(places, firstRow: Int64(round) * 1_000_000)
            let run = try ToolProcess.ferry(["move", from, to])
            expected.formUnion(app.end())
            // An app that has it open all the time keeps it where it is.
            #expect(run.status == 0 || run.status == 3, "\(run.summary)")
            if run.status == 0 { moves += 1 }
            #expect(places.filter(FileSystem.exists).count == 1)
            let missing = expected.subtracting(try Self.rows(run.status == 0 ? to : from))
            #expect(missing == [], "round \(round)")
        }
        #expect(moves > 0)
        #expect(!expected.isEmpty)
    }

    @Test(.long) func aReplacedStoresLogNeverMeetsTheNewOne() throws {
        let directory = try TemporaryDirectory()
        let (new, old) = (directory.file("New.sqlite"), directory.file("Old.sqlite"))
        var moves = 0
        for round in 0..<12 {
            try? FileManager.default.removeItem(atPath: new)
            try Self.make(new, mode: "WAL")
            let connection = try Connection(path: new, access: .readWrite)
            try connection.execute("CREATE TABLE NEW (Y); INSERT INTO NEW VALUES (\(round))")
            try connection.close()
            if !FileSystem.exists(old) { try Self.make(old, mode: "WAL") }
            let app = App([old], firstRow: Int64(round) * 1_000_000, pause: 200)
            let run = try ToolProcess.ferry(["move", "--replace", new, old])
            _ = app.end()
            #expect(run.status == 0 || run.status == 3, "\(run.summary)")
            _ = try Self.rows(old)
            guard run.status == 0 else { continue }
            moves += 1
            let moved = try Connection(path: old, access: .readOnly)
            #expect(try moved.value("SELECT Y FROM NEW") == .integer(Int64(round)))
            try moved.close()
        }
        #expect(moves > 0)
    }
}
