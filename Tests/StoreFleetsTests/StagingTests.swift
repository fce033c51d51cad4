import Foundation
import PersistentStores
@testable import StoreFleets
import TestSupport
import Testing

/// Stores that commands bring and take back.
@Suite struct StagingTests {
    /// A fleet whose stores lie in a folder that only the commands know.
    private struct Remote {
        let fleet: FleetFolder
        var bucket: String { fleet.directory.file("bucket") }

        init(names: [String], _ operation: FleetOperation = .migrate) throws {
            fleet = try FleetFolder(count: 1)
            let planner = try FleetPlanner(Self.options(operation), shards: 1, to: fleet.manifest)
            for name in names {
                let path = bucket + "/" + name
                try FileManager.default.createDirectory(
                    atPath: FileSystem.directory(of: path), withIntermediateDirectories: true)
                try StoreFiles(fleet.store(0)).copy(to: StoreFiles(path))
                try planner.add(name)
            }
            _ = try planner.finish()
        }

        private static func options(_ operation: FleetOperation) -> FleetOptions {
            var options = FleetOptions(operation, models: [Samples.models("Company")])
            options.isRemote = true
            return options
        }

        /// The write-ahead log and the external data come and go with the file.
        func options(fetch: String? = nil, store: String? = nil) throws -> FleetRunner.Options {
            var options = FleetRunner.Options()
            let bring = "cp -r \(bucket)/{//}/. . && rm -f sentinel"
            options.fetch = StagingCommand(fetch ?? bring)
            options.store = StagingCommand(store ?? "cp {/} \(bucket)/{} && rm -f \(bucket)/{}-wal")
            options.stagingFolder = fleet.directory.file("staging")
            try FileManager.default.createDirectory(
                atPath: fleet.directory.file("staging"), withIntermediateDirectories: true)
            return options
        }

        func isStagingEmpty() throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: fleet.directory.file("staging")).isEmpty
        }
    }

    private static let names = ["a/Company.sqlite", "it's/b $HOME/Company.sqlite", "c;d/Company.sqlite"]

    @Test(arguments: [1, 2]) func storesAreBroughtMigratedAndTakenBack(jobs: Int) throws {
        let remote = try Remote(names: Self.names)
        let old = try FleetFolder.hashes(remote.fleet.store(0))
        var options = try remote.options()
        options.jobs = jobs
        #expect(try remote.fleet.run(options: options).done == 3)
        for name in Self.names { #expect(try FleetFolder.hashes(remote.bucket + "/" + name) != old, "\(name)") }
        #expect(try remote.isStagingEmpty())
        #expect(try remote.fleet.report().changes.map(\.stores) == [3])
    }

    @Test func aStoreThatHasNotChangedIsNotTakenBack() throws {
        let remote = try Remote(names: ["a/Company.sqlite"])
        #expect(try remote.fleet.run(options: remote.options()).done == 1)
        try FileManager.default.removeItem(atPath: remote.fleet.manifest + ".ledger")
        let again = try remote.options(store: "exit 1 # {}")
        #expect(try remote.fleet.run(options: again).done == 1)
    }

    @Test func commandsThatFailAreRowsThatMayPass() throws {
        let remote = try Remote(names: Self.names)
        let fetch = try remote.options(fetch: "echo no such {} >&2; exit 7")
        let first = try remote.fleet.run(options: fetch)
        #expect(first.failed == 3 && first.temporary == 3)
        let report = try remote.fleet.report()
        #expect(report.reasons.map(\.reason) == ["fetch"])
        #expect(report.reasons[0].message.contains("no such") && report.reasons[0].message.contains("status 7"))
        let old = try FleetFolder.hashes(remote.bucket + "/" + Self.names[0])
        #expect(try remote.fleet.run(options: remote.options(store: "exit 1 # {}")).temporary == 3)
        #expect(try remote.fleet.status().byReason == ["store": 3])
        #expect(try FleetFolder.hashes(remote.bucket + "/" + Self.names[0]) == old)
        #expect(try remote.isStagingEmpty())
        #expect(try remote.fleet.run(options: remote.options()).done == 3)
    }

    @Test func aCommandThatBringsNothingLeavesAStoreThatIsMissing() throws {
        let remote = try Remote(names: ["a/Company.sqlite"])
        let report = try remote.fleet.run(options: remote.options(fetch: "true {}"))
        #expect(report.failed == 1 && report.temporary == 0)
        let reason = try #require(try remote.fleet.report().reasons.first)
        #expect(reason.reason == "missing" && reason.message.hasPrefix("a/Company.sqlite"))
    }

    @Test func changesThatNothingTakesBackAreRefused() throws {
        let remote = try Remote(names: ["a/Company.sqlite"])
        var options = try remote.options()
        options.store = nil
        #expect(throws: FleetError.storeMissing(.migrate)) { try remote.fleet.run(options: options) }
        let reading = try Remote(names: ["a/Company.sqlite"], .verify)
        options = try reading.options()
        options.store = nil
        #expect(try reading.fleet.run(options: options).done == 1)
    }

    @Test func aCommandThatIsUnderWayEndsWhenTheRunIsAskedToEnd() throws {
        let remote = try Remote(names: ["a/Company.sqlite"])
        var options = try remote.options(fetch: "touch \(remote.bucket)/begun; exec sleep 600 # {}")
        options.isCancelled = { [bucket = remote.bucket] in FileSystem.isThere(bucket + "/begun") }
        let report = try remote.fleet.run(options: options)
        #expect(report.isCancelled && report.done == 0)
        #expect(try remote.fleet.status().pending == 1)
        #expect(try remote.isStagingEmpty())
    }

    @Test func commandsNameTheStore() throws {
        let command = try #require(StagingCommand("get {} {/} {//}"))
        #expect(command.command(for: "a b/c'd.sqlite") == "get 'a b/c'\\''d.sqlite' 'c'\\''d.sqlite' 'a b'")
        #expect(StagingCommand("get all") == nil && StagingCommand("") == nil)
    }
    /// 101 times 10 bytes: what is kept of them ends anywhere in a character.
    @Test(arguments: [1, 2, 3, 7, 999, 1000, 1009, 1010]) func longMessagesAreCutBetweenCharacters(bytes: Int) throws {
        let directory = try TemporaryDirectory()
        let said = String(repeating: "aé€😀", count: 101)
        let path = try directory.write(said, to: "said")
        var command = try #require(StagingCommand("cat '\(path)' >&2; exit 4 # {}"))
        #expect(command.messageBytes == 1000)
        command.messageBytes = bytes
        let failure = #expect(throws: StoreFailure.self) {
            try command.run(for: "a", in: directory.file(""), reason: "fetch", isCancelled: nil)
        }
        var kept = ""
        for scalar in said.unicodeScalars {
            guard kept.utf8.count + String(scalar).utf8.count <= bytes else { break }
            kept.unicodeScalars.append(scalar)
        }
        let expected = kept == said ? said : kept + "…"
        #expect(failure?.message.hasSuffix("ended with status 4: \(expected)") ?? false)
    }
}
