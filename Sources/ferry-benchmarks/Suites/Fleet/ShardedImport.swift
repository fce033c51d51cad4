import Dispatch
import Foundation
import PersistentStores
import Synchronization

/// One import of a CSV file, and the same in shards that run at once.
struct ShardedImport {
    private let session: BenchmarkSession
    private let workspace: Workspace
    private let words: [String]

    private static let shards = 4
    private static let uuid = "8C7E2B54-3F0A-4B8E-9D57-2A6F1C0B9E31"

    init(session: BenchmarkSession, source: String, workspace: Workspace) throws {
        (self.session, self.workspace) = (session, workspace)
        let mapping = try workspace.write(StaffMapping.text(.csv), to: "staff-shards.yaml")
        words = [
            "import", workspace.file("departments.csv"), source, "--models", try StaffModel.plain.write(to: workspace),
            "--mapping", mapping, "--progress", "none",
        ]
    }

    private var one: String { workspace.file("one.sqlite") }
    private var assembled: String { workspace.file("assembled.sqlite") }
    private var spools: String { workspace.file("spools") }

    func single() -> Contestant {
        Contestant(name: "one import", prepare: { try workspace.removeStore(one) }) {
            try run(words + ["--store", one, "--uuid", Self.uuid], in: workspace.path)
        }
    }

    func sharded() -> Contestant {
        Contestant(name: "four shards", prepare: prepare) {
            var usage = try runShards()
            usage += try run(
                ["assemble", spools, "--store", assembled, "--uuid", Self.uuid, "--progress", "none"],
                in: workspace.path)
            return usage
        }
    }

    /// Throws where the two stores are not the same bytes.
    func compare() throws {
        let results = try [one, assembled].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        guard results[0] == results[1] else {
            throw BenchmarkError.resultsDiffer(
                "shards", reference: "\(results[0].count) bytes", found: "\(results[1].count) other bytes")
        }
    }

    private func prepare() throws {
        try workspace.removeStore(assembled)
        try FileSystem.remove(spools)
        for shard in 1...Self.shards { try FileSystem.createDirectory(folder(of: shard)) }
    }

    private func folder(of shard: Int) -> String { workspace.file("shard-\(shard)") }

    /// Each processor takes the next shard that is left.
    private func runShards() throws -> Usage {
        struct State {
            var next = 1
            var usage = Usage.none
            var error: (any Error)?
        }
        let state = Mutex(State())
        DispatchQueue.concurrentPerform(iterations: min(session.coreCount, Self.shards)) { _ in
            while let shard = state.withLock({ state -> Int? in
                guard state.error == nil, state.next <= Self.shards else { return nil }
                state.next += 1
                return state.next - 1
            }) {
                do {
                    let usage = try run(
                        words + ["--spool", spools, "--shard", "\(shard)/\(Self.shards)"], in: folder(of: shard))
                    state.withLock { $0.usage += usage }
                } catch {
                    state.withLock { $0.error = error }
                }
            }
        }
        return try state.withLock { state in
            if let error = state.error { throw error }
            return state.usage
        }
    }

    private func run(_ words: [String], in folder: String) throws -> Usage {
        try MeasuredProgram(executable: session.ferry, arguments: words, directory: folder).run().usage
    }
}
