import Foundation
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Ctrl-C and SIGTERM end commands on stores in the middle of their work, and leave nothing.
@Suite struct StoreCancellationTests {
    private let directory: TemporaryDirectory
    private let store: String

    /// However long it was told to wait.
    @Test(arguments: [SIGINT, SIGTERM], [["verify"], ["repair", "--fix", "primary-key-behind"]])
    func aSignalEndsTheWaitForALock(signal: Int32, words: [String]) throws {
        let other = try Connection(path: store, access: .readWrite)
        _ = try other.value("PRAGMA journal_mode = DELETE")
        try other.execute("BEGIN EXCLUSIVE")
        let tool = try ToolProcess(
            ToolProcess.ferry,
            [words[0], store] + words.dropFirst() + ["--timeout", "86400", "--models", Samples.models("Company")],
            in: directory.path)
        #expect(tool.wait { tool.hasOpen(store) })
        tool.send(signal)
        tool.wait(atMost: .seconds(60))
        #expect(!tool.isRunning)
        if tool.isRunning { tool.send(SIGKILL) }
        let run = tool.wait()
        #expect(run.signal == nil && run.status == 3, "\(run.summary)")
        try other.execute("ROLLBACK")
    }

    /// Enough objects that no command is done before the signal comes.
    init() throws {
        directory = try TemporaryDirectory()
        store = try Samples.buildStore("Company", in: directory)
        let connection = try Connection(path: store, access: .readWrite)
        try connection.execute(
            """
            WITH RECURSIVE c(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM c WHERE n < 100000)
            INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT, ZTITLE)
            SELECT n, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Project'), 1, 'Project ' || n FROM c;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_NAME = 'Project';
            """)
        try connection.close()
    }

    @Test(
        .long, arguments: [SIGINT, SIGTERM],
        [
            ["fetch", "--entity", "Project"],
            ["fetch", "--entity", "Project", "--format", "json"],
            ["export", "--entity", "Project", "--columns", "title", "--output", "New.csv"],
            ["verify"],
            ["convert", "--output", "New.sqlite"],
            ["convert", "--output", "New.xml", "--id-map", "New.csv"],
            ["convert", "--output", "New.binary"],
            ["repair", "--fix", "primary-key-behind"],
            ["repair", "--fix", "primary-key-behind", "--output", "New.sqlite"],
        ])
    func aSignalEndsTheCommandAndLeavesNothing(signal: Int32, words: [String]) throws {
        let before = try FolderState(of: directory.path)
        let tool = try ToolProcess(
            ToolProcess.ferry, [words[0], store] + words.dropFirst() + ["--models", Samples.models("Company")],
            in: directory.path)
        // What is only read is at work when something is printed, or when it is open.
        let isReached =
            words[0] == "fetch"
            ? tool.wait { !tool.outputSoFar.isEmpty }
            : tool.wait { words.count == 1 ? tool.hasOpen(store) : tool.hasOpen(endingWith: ".ferry-staging") }
        #expect(isReached)
        tool.send(signal)
        let run = tool.wait()
        #expect(run.status == 2 && run.signal == nil, "\(run.status) \(run.errors)")
        #expect(run.errors.contains("cancelled; nothing has changed"), "\(run.errors)")
        #expect(try FolderState(of: directory.path).differences(from: before) == [])
    }
}
