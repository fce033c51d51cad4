import ObjectServer
import Synchronization
import TestSupport
import Testing

/// The sample server on a copy of the sample store.
@Suite struct ObjectServerTests {
    private let directory: TemporaryDirectory
    private let server: ObjectServer

    init() throws {
        directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        server = try ObjectServer(store: store, models: Samples.models("Company"), workers: 4)
    }

    @Test func queriesAreAnswered() async {
        #expect(await server.answer("count Department") == "6")
        #expect(await server.answer("count Department code == 10") == "1")
        let uri = await server.answer("fetch Department code == 10")
        #expect(uri.hasSuffix("/Department/p1"))
        #expect(await server.answer("object \(uri)").contains("name=Engineering"))
        #expect(await server.answer("set \(uri) name Research and more") == "saved")
        #expect(await server.answer("count Department name == 'Research and more'") == "1")
    }

    @Test func mistakesAreAnswersToo() async {
        for line in [
            "", "hello world", "count Nothing", "count Department nothing == 1", "object x-coredata://A/B/p1",
            "set x name", "object x-coredata://8C7E2B54-3F0A-4B8E-9D57-2A6F1C0B9E31/Department/p99",
        ] { #expect(await server.answer(line).hasPrefix("error: "), "\(line)") }
        let uri = await server.answer("fetch Department code == 10")
        #expect(await server.answer("set \(uri) name \(String(repeating: "x", count: 81))").contains("1660"))
        #expect(await server.answer("count Department name == 'Engineering'") == "1")
    }

    /// Many clients read, and write one object: each line has its answer, and nothing is lost.
    @Test func linesAreServedAtOnce() async throws {
        let uri = await server.answer("fetch Department code == 10")
        let lines = (0..<200).map { $0.isMultiple(of: 10) ? "set \(uri) name N\($0)" : "count Employee" }
        let answers = Mutex<[Int: String]>([:])
        try await server.serve(
            AsyncStream { continuation in
                for line in lines { continuation.yield(line) }
                continuation.finish()
            }
        ) { number, answer in answers.withLock { $0[number] = answer } }
        let found = answers.withLock { $0 }
        let count = await server.answer("count Employee")
        #expect(found.count == 200)
        for (index, line) in lines.enumerated() {
            #expect(found[index + 1] == (line.hasPrefix("set") ? "saved" : count), "\(line)")
        }
        #expect(await server.answer("count Department name MATCHES 'N[0-9]+'") == "1")
    }
}
