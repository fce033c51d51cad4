import Foundation
import GeneratedStores
import TestSupport
import Testing

/// `ferry import --spool --shard` and `ferry assemble`, with and without kills.
@Suite struct ShardedImportCommandTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Team"><attribute name="code" attributeType="String"/>
        <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
        inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="name" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
        inverseEntity="Team"/></entity></model>
        """
    private static let mapping = """
        import: 1
        files: people*.csv
        entity: Person
        key: name
        attributes: [name, age]
        relationships:
          team: {by: code, from: team, onMissing: create}
        """
    private static let uuid = "8C7E2B54-3F0A-4B8E-9D57-2A6F1C0B9E31"

    private let directory: TemporaryDirectory
    private let words: [String]

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("M.xcdatamodel"), withIntermediateDirectories: true)
        let model = try directory.write(Self.model, to: "M.xcdatamodel/contents")
        let lines = (0..<300).map { index in
            let more = index % 17 == 0 ? "\nsecond, line" : ""
            return "\"p\(index % 280)\(more)\",\(index % 11 == 0 ? "x" : "\(index % 90)"),t\(index % 7)\n"
        }
        words = [
            "import", try directory.write("name,age,team\n" + lines.joined(), to: "people.csv"), "--models",
            (model as NSString).deletingLastPathComponent, "--mapping",
            try directory.write(Self.mapping, to: "mapping.yaml"), "--progress", "none", "--batch-rows", "20",
        ]
    }

    private func shard(_ number: Int, of count: Int, _ environment: [String: String] = [:]) throws -> ToolProcess.Result
    {
        try ToolProcess.ferry(
            words + ["--spool", directory.file("spool\(number)"), "--shard", "\(number)/\(count)"],
            environment: environment)
    }

    private func assemble(
        _ count: Int, _ environment: [String: String] = [:], isForced: Bool = false
    ) throws -> ToolProcess.Result {
        try ToolProcess.ferry(
            ["assemble"] + (isForced ? ["--force"] : []) + (1...count).map { directory.file("spool\($0)") } + [
                "--store", directory.file("assembled.sqlite"), "--uuid", Self.uuid, "--rejects",
                directory.file("rejects-assembled"), "--progress", "none",
            ], environment: environment)
    }

    private func content(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: directory.file(name)))
    }

    private func checkStore() throws {
        let whole = try ToolProcess.ferry(
            words + [
                "--store", directory.file("whole.sqlite"), "--uuid", Self.uuid, "--rejects",
                directory.file("rejects-whole"),
            ])
        #expect(whole.status == 1, "\(whole.summary)")
        #expect(try content("assembled.sqlite") == content("whole.sqlite"))
        for name in ["people.rejected.csv", "rejects.csv", "rejects.ndjson"] {
            #expect(try content("rejects-assembled/" + name) == content("rejects-whole/" + name))
        }
    }

    @Test func threeShardsMakeTheStoreOfOneRun() throws {
        for number in 1...3 {
            let run = try shard(number, of: 3)
            #expect(run.status == 0, "\(run.summary)")
        }
        let run = try assemble(3)
        #expect(run.status == 1, "\(run.summary)")
        try checkStore()
        #expect(try shard(2, of: 3).status == 0)
        #expect(try assemble(3).status == 2)
    }

    @Test func rejectedRecordsOfAnotherRunStayUnlessForced() throws {
        for number in 1...2 { #expect(try shard(number, of: 2).status == 0) }
        try FileManager.default.createDirectory(
            atPath: directory.file("rejects-assembled"), withIntermediateDirectories: true)
        _ = try directory.write("mended by hand", to: "rejects-assembled/people.rejected.csv")
        let whole =
            words + [
                "--store", directory.file("whole.sqlite"), "--uuid", Self.uuid, "--rejects",
                directory.file("rejects-assembled"),
            ]
        let before = try FolderState(of: directory.path)
        for refused in [try assemble(2), try ToolProcess.ferry(whole)] {
            #expect(refused.status == 2, "\(refused.summary)")
            #expect(
                refused.errors.contains("rejects-assembled/people.rejected.csv: it exists already")
                    && refused.errors.contains("--force"), "\(refused.summary)")
        }
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
        #expect(try assemble(2, isForced: true).status == 1)
        #expect(try ToolProcess.ferry(whole).status == 2)
        #expect(try ToolProcess.ferry(whole + ["--force"]).status == 1)
        #expect(try content("assembled.sqlite") == content("whole.sqlite"))
    }

    @Test func aShardThatIsKilledLeavesNothingThatLooksFinished() throws {
        #expect(try shard(1, of: 2).status == 0)
        let log = try directory.write("", to: "checkpoints.txt")
        #expect(try shard(2, of: 2, ["FERRY_TEST_CHECKPOINTS": log]).status == 0)
        let points = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        #expect(points > 5)
        let folder = directory.file("spool2")
        for point in KillPoints.points(of: points, cell: "spool") {
            try FileManager.default.removeItem(atPath: folder)
            #expect(try shard(2, of: 2, ["FERRY_TEST_KILL_AT": "\(point)"]).signal == SIGKILL)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") } == [])
            let refused = try assemble(2)
            #expect(refused.status == 2 && refused.errors.contains("no finished spool"), "\(refused.summary)")
            #expect(!FileManager.default.fileExists(atPath: directory.file("assembled.sqlite")))
            #expect(try shard(2, of: 2).status == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["shard-2-of-2.ferryspool"])
        }
        #expect(try assemble(2).status == 1)
        try checkStore()
    }

    @Test func anAssemblyThatIsKilledLeavesNoStore() throws {
        for number in 1...2 { #expect(try shard(number, of: 2).status == 0) }
        let log = try directory.write("", to: "checkpoints.txt")
        #expect(try assemble(2, ["FERRY_TEST_CHECKPOINTS": log]).status == 1)
        let points = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count
        for point in KillPoints.points(of: points, cell: "assemble") {
            for name in ["assembled.sqlite", "rejects-assembled"] {
                try? FileManager.default.removeItem(atPath: directory.file(name))
            }
            #expect(try assemble(2, ["FERRY_TEST_KILL_AT": "\(point)"]).signal == SIGKILL)
            #expect(!FileManager.default.fileExists(atPath: directory.file("assembled.sqlite")))
            #expect(try assemble(2, isForced: true).status == 1)
        }
        try checkStore()
    }

    @Test(
        arguments: [
            (["--spool", "D"], "--shard"), (["--shard", "1/2"], "--spool"),
            (["--spool", "D", "--shard", "1/2", "--store", "S"], "--store"),
            (["--spool", "D", "--shard", "1/2", "--rejects", "R"], "--rejects"),
            (["--spool", "D", "--shard", "3/2"], "--shard"),
        ])
    func optionsThatDoNotGoTogetherAreRefused(more: [String], named: String) throws {
        let run = try ToolProcess.ferry(words + more)
        #expect(run.status == 64 && run.errors.contains(named), "\(run.summary)")
    }
}
