import Foundation
import GeneratedStores
import PersistentStores
import TestSupport
import Testing

/// An import that cannot come to its end leaves the store as it was, says why, and goes through when it is repeated.
@Suite struct ImportSafetyTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Item"><attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
        <attribute name="text" optional="YES" attributeType="String"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint>
        </uniquenessConstraints></entity></model>
        """

    private let directory: TemporaryDirectory
    private let words: [String]
    /// A store of 2000 objects.
    private let store: String
    /// Changes for them, and 2000 more.
    private let source: String

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("M.xcdatamodel"), withIntermediateDirectories: true)
        let model = try directory.write(Self.model, to: "M.xcdatamodel/contents")
        words = [
            "--models", (model as NSString).deletingLastPathComponent, "--progress", "none", "--entity", "Item",
        ]
        let first = try directory.write("number,text\n" + (0..<2000).map { "\($0),t\($0)\n" }.joined(), to: "first.csv")
        source = try directory.write(
            "number,text\n" + (0..<4000).map { "\($0),a new text \($0)\n" }.joined(), to: "next.csv")
        store = directory.file("folder/store.sqlite")
        try FileManager.default.createDirectory(atPath: directory.file("folder"), withIntermediateDirectories: true)
        let run = try ToolProcess.ferry(["import", first, "--store", store] + words)
        #expect(run.status == 0, "\(run.summary)")
    }

    private func command(_ store: String, rows: Int = 50) -> [String] {
        ["import", source, "--store", store, "--batch-rows", String(rows)] + words
    }

    private func copy(to folder: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let copy = folder + "/store.sqlite"
        try StoreFiles(store).copyAll(to: StoreFiles(copy))
        return copy
    }

    /// What the store holds, whatever lies beside it.
    private func dump(_ path: String) throws -> StoreDump { try StoreDump(of: path) }

    /// The store as it is found, or nothing where it was not there; then the import is repeated.
    private func expectUnchanged(_ path: String, _ isNew: Bool, _ old: StoreDump, _ note: String) throws {
        if isNew {
            #expect(!FileSystem.exists(path), "\(note)")
        } else {
            #expect(try dump(path) == old, "\(note)")
        }
        let again = try ToolProcess.ferry(command(path))
        #expect(again.status == 0, "\(again.summary)")
        #expect(try dump(path).rows["ZITEM"]?.count == 4000)
        #expect(try FileSystem.names(in: FileSystem.directory(of: path)).filter { $0.contains("ferry") } == [])
    }

    @Test(
        .long, .enabled(if: MountedFolder.isPossible, "this user may not mount file systems"), arguments: [true, false])
    func aFullDiskChangesNothing(isNew: Bool) throws {
        let old = try dump(store)
        for room in [0, 16 << 10, 64 << 10, 128 << 10] {
            let disk = try MountedFolder(kilobytes: 2048)
            let path = isNew ? disk.file("store.sqlite") : try copy(to: disk.path)
            try disk.fill(leaving: room)
            let run = try ToolProcess.ferry(command(path))
            #expect(run.status == 3 && run.signal == nil, "\(room) bytes left: \(run.summary)")
            #expect(run.errors.contains("space"), "\(run.summary)")
            try FileSystem.remove(disk.file("filler"))
            try expectUnchanged(path, isNew, old, "\(room) bytes left")
        }
    }

    /// Blocks of 1024 bytes.
    @Test(.long, arguments: [true, false])
    func theLimitOnFileSizesChangesNothing(isNew: Bool) throws {
        let old = try dump(store)
        for limit in [1, 40, 150] {
            let place = directory.file("limited-\(limit)")
            let path = try copy(to: place)
            if isNew { for file in StoreFiles(path).sidecars + [path] { try FileSystem.remove(file) } }
            let run = try ToolProcess.run(
                "/usr/bin/env", ["prlimit", "--fsize=\(limit << 10)", ToolProcess.ferry] + command(path))
            #expect(run.status == 3 && run.signal == nil, "\(limit) KiB: \(run.summary)")
            #expect(run.errors.contains("ulimit"), "\(limit) KiB: \(run.summary)")
            try expectUnchanged(path, isNew, old, "\(limit) KiB")
        }
    }

    @Test(.long, arguments: [SIGINT, SIGTERM], [true, false])
    func aSignalEndsTheImportAndChangesNothing(signal: Int32, isNew: Bool) throws {
        let old = try dump(store)
        let path = isNew ? directory.file("folder/new.sqlite") : store
        let run = try interrupted(signal, command(path, rows: 1))
        #expect(run.status == 2 && run.signal == nil, "\(run.summary)")
        #expect(run.errors.contains("cancelled; nothing has changed"), "\(run.summary)")
        try expectUnchanged(path, isNew, old, "\(signal)")
    }

    /// With durable batches it goes on where it was ended.
    @Test(.long) func aSignalBetweenDurableBatchesLeavesWhatIsResumed() throws {
        let path = directory.file("folder/new.sqlite")
        let batches = command(path, rows: 5) + ["--commit", "batch"]
        let run = try interrupted(SIGINT, batches)
        #expect(run.status == 2, "\(run.summary)")
        let count = try dump(path).rows["ZITEM"]?.count ?? 0
        #expect(count > 0 && count < 4000 && count % 5 == 0)
        let resumed = try ToolProcess.ferry(batches + ["--resume"])
        #expect(resumed.status == 0, "\(resumed.summary)")
        #expect(try dump(path).rows["ZITEM"]?.count == 4000)
    }

    @Test(.long) func aStoreThatAnotherProcessWritesToIsLocked() throws {
        let old = try dump(store)
        let session = try SQLiteSession(
            on: store, running: "BEGIN IMMEDIATE; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1;")
        let run = try ToolProcess.ferry(command(store))
        #expect(run.status == 3 && run.errors.contains("locked"), "\(run.summary)")
        _ = try session.run("ROLLBACK;")
        session.close()
        try expectUnchanged(store, false, old, "locked")
    }

    /// Sends a signal when the first batches are written.
    private func interrupted(_ signal: Int32, _ command: [String]) throws -> ToolProcess.Result {
        let log = try directory.write("", to: "checkpoints.txt")
        let tool = try ToolProcess(ToolProcess.ferry, command, environment: ["FERRY_TEST_CHECKPOINTS": log])
        let isReached = try tool.wait { try String(contentsOfFile: log, encoding: .utf8).contains("batch imported") }
        #expect(isReached)
        tool.send(signal)
        return tool.wait()
    }
}
