import Foundation
import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// Chains with steps that only a program, a copy or an edit can do: killed, cancelled, and with data in other files.
@Suite struct PolicyChainTests {
    private static let mapping = Samples.path + "/../Mappings/Company/levels-by-policy.yaml"
    private static let script = Samples.path + "/../Mappings/Company/level-policy.sh"

    private let scenario: ChainScenario
    private let stages: String

    init() throws {
        scenario = try ChainScenario()
        stages = try scenario.folder.directory.write(
            """
            stages: 1
            migration:
              - {from: Company, to: Company 2, mapping: \(Self.mapping)}
              - from: Company 2
                to: Company 3
                will:
                  - {update: Employee, where: remarks == nil, set: {remarks: '"none"'}}
                did:
                  - {delete: Project, where: leads.@count == 0}
              - lightweight: [Company 3, Company 4]
            """, to: "stages.yaml")
    }

    private func words(_ store: String, program: String = "sh '\(script)'") -> [String] {
        [
            "migrate", store, "--models", Samples.models("Company"), "--stages", stages, "--policy",
            "Company.LevelPolicy=\(program)", "--progress", "none",
        ]
    }

    private static var kills: Int { TestSettings.killsAtEveryPoint ? 30 : 2 }

    /// A step with a policy, one with an edit before and one behind it, and an inferred one.
    @Test(.long) func killedAtRandomItGoesOnAtTheLastFinishedPart() throws {
        let more = ["--resume", "--batch-rows", "4"]
        let whole = try scenario.copy("whole")
        let (ended, names) = try scenario.checkpoints(words(whole.store) + more)
        #expect(ended.status < 2, "\(ended.summary)")
        let (old, new) = (try StoreDump(of: scenario.folder.store), try StoreDump(of: whole.store))
        let files = try FolderState(of: whole.folder).names
        var numbers = RandomNumbers(seed: 31)
        for number in 0..<Self.kills {
            let (store, folder) = try scenario.copy("killed-\(number)")
            let point = Int.random(in: 1...names.count, using: &numbers)
            let run = try ToolProcess.ferry(words(store) + more, environment: ["FERRY_TEST_KILL_AT": "\(point)"])
            #expect(run.signal == SIGKILL, "\(run.summary)")
            let copy = try FileManager.default.copyStore(store, to: folder + "-copy")
            let dump = try StoreDump(of: copy)
            #expect(dump == old || dump == new, "killed at \(point)")
            let again = try scenario.checkpoints(words(store) + more)
            #expect(again.run.status < 2, "\(again.run.summary)")
            // Parts that were noted are not done again.
            for part in 1...5 where names.prefix(point).contains("part \(part) noted") {
                #expect(!again.names.contains("part \(part) noted"), "part \(part) after \(point)")
            }
            #expect(try StoreDump(of: store).differences(from: new) == [])
            #expect(try FolderState(of: folder).names == files)
        }
    }

    /// The records whose answers were committed before the tool was killed do not come again, whatever a batch has.
    @Test(.long, arguments: [1, 2, 3, 7])
    func aProgramIsNotAskedAgainForWhatWasCommitted(rows: Int) throws {
        let log = scenario.folder.directory.file("asked-\(rows).txt")
        let script = try scenario.folder.directory.write(
            "tee -a '\(log)' | sh '\(Self.script)'\n", to: "logged-\(rows).sh")
        func words(_ store: String) -> [String] {
            [
                "migrate", store, "--models", Samples.models("Company"), "--to", "Company 2", "--mapping", Self.mapping,
                "--policy", "Company.LevelPolicy=sh '\(script)'", "--progress", "none", "--resume", "--batch-rows",
                "\(rows)",
            ]
        }
        func asked() throws -> [String] {
            defer { try? FileManager.default.removeItem(atPath: log) }
            return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
                line.hasPrefix("{\"source\":") ? String(line.split(separator: "\"")[3]) : nil
            }
        }
        let whole = try scenario.copy("whole-\(rows)").store
        let (ended, names) = try scenario.checkpoints(words(whole))
        #expect(ended.status < 2, "\(ended.summary)")
        let everyone = try asked()
        let employees = everyone.filter { $0.contains("/Employee/") }.count
        #expect(employees > 20 && Set(everyone).count == everyone.count)
        let batches = names.indices.filter { names[$0] == "batch " }
        for batch in Set([1, 2, employees / rows]).sorted() {
            let (store, folder) = try scenario.copy("killed-\(rows)-\(batch)")
            let killed = try ToolProcess.ferry(
                words(store), environment: ["FERRY_TEST_KILL_AT": "\(batches[batch - 1] + 1)"])
            #expect(killed.signal == SIGKILL, "\(killed.summary)")
            _ = try asked()
            let again = try ToolProcess.ferry(words(store))
            #expect(again.status < 2, "\(again.summary)")
            #expect(try asked() == Array(everyone.dropFirst(batch * rows)), "killed behind batch \(batch)")
            // Both runs are in the report.
            #expect(again.output.contains("EmployeeToEmployee") && again.output.contains("26       36"))
            #expect(try StoreDump(of: store).differences(from: StoreDump(of: whole)) == [])
            #expect(try FolderState(of: folder).names.allSatisfy { !$0.contains("ferry-") })
        }
    }

    /// The program hears of it, and nobody is left behind.
    @Test(.long, arguments: [SIGINT, SIGTERM])
    func aSignalEndsAProgramInAChain(signal: Int32) throws {
        let (store, folder) = try scenario.copy("cancelled")
        let before = try FolderState(of: folder)
        let noted = scenario.folder.directory.file("program.txt")
        let program = try scenario.folder.directory.write("echo $$ > '\(noted)'\nexec sleep 60\n", to: "slow.sh")
        let tool = try ToolProcess(ToolProcess.ferry, words(store, program: "sh \(program)"))
        let isReached = tool.wait { (try? String(contentsOfFile: noted, encoding: .utf8).contains("\n")) ?? false }
        #expect(isReached)
        tool.send(signal)
        let run = tool.wait()
        #expect(run.status == 2 && run.errors.contains("cancelled; nothing has changed"), "\(run.summary)")
        let identifier = try #require(Int32(String(contentsOfFile: noted, encoding: .utf8).dropLast()))
        #expect(kill(identifier, 0) == -1 && errno == ESRCH)
        #expect(try FolderState(of: folder).byteDifferences(from: before) == [])
    }

    /// It answers everything and does not end when its input does.
    @Test(.long) func aProgramThatDoesNotEndIsEnded() throws {
        let (store, folder) = try scenario.copy("endless")
        let before = try FolderState(of: folder)
        let noted = scenario.folder.directory.file("endless.txt")
        let script = try scenario.folder.directory.write(
            "echo $$ > '\(noted)'\nsh '\(Self.script)'\ntrap '' TERM\nexec sleep 60 >/dev/null\n", to: "endless.sh")
        let run = try ToolProcess.ferry(words(store, program: "sh \(script)") + ["--policy-timeout", "1"])
        #expect(run.status == 2 && run.errors.contains("after the end of its input"), "\(run.summary)")
        let identifier = try #require(Int32(String(contentsOfFile: noted, encoding: .utf8).dropLast()))
        #expect(kill(identifier, 0) == -1 && errno == ESRCH)
        #expect(try FolderState(of: folder).byteDifferences(from: before) == [])
    }

    /// Photos in files of their own go through every step, policies included.
    @Test func dataInOtherFilesGoThroughAllSteps() throws {
        let (store, folder) = try scenario.copy("external")
        let run = try ToolProcess.ferry(words(store))
        #expect(run.status < 2, "\(run.summary)")
        #expect(run.output.contains("PolicyTransfer"))
        let photos = "SELECT Z_PK, hex(ZPHOTO) FROM ZPERSON WHERE ZPHOTO NOT NULL ORDER BY 1"
        let old = try StoreRows.of(scenario.folder.store, photos)
        // A value that is a file's name begins with the byte 02.
        #expect(old.contains { $0[1].hasPrefix("02") })
        #expect(try StoreRows.of(store, photos) == old)
        let names = { (state: FolderState) in state.names.filter { $0.contains("EXTERNAL_DATA/") } }
        let before = try FolderState(of: FileSystem.directory(of: scenario.folder.store))
        #expect(try names(FolderState(of: folder)) == names(before) && !names(before).isEmpty)
        #expect(
            try FolderState(of: folder).byteDifferences(from: before).filter { $0.contains("EXTERNAL_DATA/") } == [])
        #expect(try ChainScenario.faults(store, model: Samples.models("Company") + "/Company 4.xcdatamodel") == [])
    }

    /// Versions may be named by their checksums, as `NSLightweightMigrationStage` has it.
    @Test func stagesKnowVersionsByTheirChecksums() throws {
        let listed = try ToolProcess.ferry(["hashes", Samples.models("Company"), "--json"])
        let json = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any])
        let versions = try #require(json["versions"] as? [[String: Any]])
        func checksum(_ name: String) throws -> String {
            try #require(versions.first { $0["name"] as? String == name }?["checksum"] as? String)
        }
        let stages = try scenario.folder.directory.write(
            """
            stages: 1
            migration:
              - lightweight: ["\(checksum("Company"))", "\(checksum("Company 2"))"]
              - {from: "\(checksum("Company 2"))", to: Company 3}
            """, to: "checksums.yaml")
        let (store, _) = try scenario.copy("checksums")
        let run = try ToolProcess.ferry([
            "migrate", store, "--models", Samples.models("Company"), "--stages", stages, "--to", "Company 3",
            "--progress", "none",
        ])
        #expect(run.status < 2 && run.output.contains("in 2 steps"), "\(run.summary)")
        let direct = try scenario.copy("by-name").store
        for version in ["Company 2", "Company 3"] {
            let step = try ToolProcess.ferry([
                "migrate", direct, "--models", Samples.models("Company"), "--to", version, "--chain", "direct",
                "--progress", "none",
            ])
            #expect(step.status < 2, "\(step.summary)")
        }
        #expect(try StoreDump(of: store).differences(from: StoreDump(of: direct)) == [])
    }
}
