import Foundation
import PersistentStores
import TestSupport
import Testing

/// Shards that are killed and run again bring every store to its final state.
@Suite struct FleetKillTests {
    private static let models = Samples.models("Company")

    private struct Status: Decodable, Equatable {
        let total: Int
        let done: Int
        let failed: Int
        let pending: Int
        let byReason: [String: Int]
    }

    private struct Fleet {
        let directory: TemporaryDirectory
        let original: String
        let count: Int
        let more: [String]
        var manifest: String { directory.file("fleet") }

        init(count: Int, shards: Int, _ more: [String] = []) throws {
            (self.count, self.more) = (count, more)
            directory = try TemporaryDirectory()
            original = try Samples.buildStore("Company", in: directory)
            var list = ""
            for number in 0..<count {
                let folder = directory.file("stores/\(number)")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try StoreFiles(original).copy(to: StoreFiles(folder + "/Company.sqlite"))
                list += folder + "/Company.sqlite\n"
            }
            let from = try directory.write(list, to: "list")
            let plan = try ToolProcess.ferry(
                [
                    "fleet", "plan", "--operation", "migrate", "--models", FleetKillTests.models, "--shards",
                    "\(shards)", "-o", manifest, "--stores-from", from,
                ] + more)
            #expect(plan.status == 0, "\(plan.summary)")
        }

        func status() throws -> Status {
            let run = try ToolProcess.ferry(["fleet", "status", manifest, "--json"])
            return try JSONDecoder().decode(Status.self, from: Data(run.output.utf8))
        }

        /// The stores that are in neither the old version nor the new one, or have remains of runs beside them.
        func checkResults() throws {
            let old = try StoreMetadata.read(storeAt: original)
            for number in 0..<count {
                let store = directory.file("stores/\(number)/Company.sqlite")
                let isNew = more.first == "--output-dir"
                #expect(try (StoreMetadata.read(storeAt: store).versionHashes == old.versionHashes) == isNew)
                let result = isNew ? more[1] + store : store
                #expect(try StoreMetadata.read(storeAt: result).versionHashes != old.versionHashes)
                let names = try FileManager.default.contentsOfDirectory(atPath: FileSystem.directory(of: result))
                #expect(names.filter { $0.contains("ferry") } == [])
            }
        }
    }

    /// Deterministic delays from nothing to longer than a store takes, in microseconds.
    private static func delay(_ round: Int) -> UInt32 { UInt32((round * 7919) % 60_000 + 1) }

    @Test(.long, arguments: [false, true])
    func everyStoreIsDoneOnceHoweverOftenTheShardIsKilled(withOutput: Bool) throws {
        let directory = try TemporaryDirectory()
        let fleet = try Fleet(count: 12, shards: 1, withOutput ? ["--output-dir", directory.file("new")] : [])
        for round in RandomNumbers.seeds(40) {
            let run = try ToolProcess(
                ToolProcess.ferry, ["fleet", "run", fleet.manifest, "--shard", "1/1", "--jobs", "2"])
            run.wait(atMost: .microseconds(Int(Self.delay(round))))
            run.send(SIGKILL)
            _ = run.wait()
            let status = try fleet.status()
            #expect(status.total == 12 && status.failed == 0 && status.done + status.pending == 12)
        }
        let last = try ToolProcess.ferry(["fleet", "run", fleet.manifest, "--shard", "1/1"])
        #expect(last.status == 0, "\(last.summary)")
        #expect(try fleet.status() == Status(total: 12, done: 12, failed: 0, pending: 0, byReason: [:]))
        try fleet.checkResults()
        let report = try ToolProcess.ferry(["fleet", "report", fleet.manifest])
        #expect(report.status == 0 && !report.output.contains("to run again"), "\(report.summary)")
    }

    /// Killed at each point where a crash would leave something different.
    @Test(.long, arguments: [[], ["--output-dir"]], [1, 2])
    func everyStoreIsDoneWhereverTheShardIsKilled(words: [String], jobs: Int) throws {
        for point in stride(from: jobs, through: 60, by: 3) {
            let folder = try TemporaryDirectory()
            let fleet = try Fleet(count: 2, shards: 1, words.map { $0 } + words.map { _ in folder.file("new") })
            let words = ["fleet", "run", fleet.manifest, "--shard", "1/1", "--jobs", "\(jobs)"]
            _ = try ToolProcess.ferry(words, environment: ["FERRY_TEST_KILL_AT": "\(point)"])
            let run = try ToolProcess.ferry(words)
            #expect(run.status == 0, "killed at \(point): \(run.summary)")
            #expect(try fleet.status().done == 2, "killed at \(point)")
        }
    }

    @Test func aShellLoopRunsAllShards() throws {
        let fleet = try Fleet(count: 5, shards: 3)
        let script =
            "for i in 1 2 3; do '\(ToolProcess.ferry)' fleet run '\(fleet.manifest)' --shard $i/3 || exit; done"
        let run = try ToolProcess.run("/usr/bin/env", ["sh", "-c", script])
        #expect(run.status == 0, "\(run.summary)")
        try fleet.checkResults()
        #expect(try fleet.status().done == 5)
    }

    private static let hasParallel = (try? ToolProcess.run("/usr/bin/env", ["which", "parallel"]).status) == 0

    @Test(.enabled(if: hasParallel, "GNU parallel is not installed")) func parallelRunsAllShards() throws {
        let fleet = try Fleet(count: 5, shards: 3)
        let run = try ToolProcess.run(
            "/usr/bin/env",
            ["parallel", ToolProcess.ferry, "fleet", "run", fleet.manifest, "--shard", "{}/3", ":::", "1", "2", "3"])
        #expect(run.status == 0, "\(run.summary)")
        try fleet.checkResults()
    }
}
