import SQLiteAccess
import TestSupport
import Testing

/// A file system that has no locks to give, as `strace` can play one: the store is not said to be in use.
@Suite final class MissingLockTests: CompanyStoreSuite {
    private static func ferry(_ words: [String], in folder: String? = nil) throws -> ToolProcess.Result {
        let options = ["-f", "-q", "-o", "/dev/null", "-e", "trace=fcntl", "-e", "inject=fcntl:error=ENOLCK"]
        return try ToolProcess.run("/usr/bin/env", ["strace"] + options + [ToolProcess.ferry] + words, in: folder)
    }

    /// Not every system lets a process be traced.
    private static let canRefuseLocks = (try? ferry(["--version"]))?.status == 0

    @Test(
        .long, .enabled(if: canRefuseLocks), arguments: ["wal", "delete"],
        [
            ["metadata", "set", "key", "1"], ["migrate", "--to", "Company 2"],
            ["migrate", "--to", "Company 2", "--in-place"], ["repair", "--fix", "order-keys"], ["copy", "Copy.sqlite"],
            ["move", "Moved.sqlite"], ["remove"],
        ])
    func aStoreWithoutLocksIsLeftAloneAndNotCalledLocked(mode: String, words: [String]) throws {
        let connection = try Connection(path: store, access: .readWrite)
        _ = try connection.value("PRAGMA journal_mode = \(mode)")
        try connection.close()
        let before = try FolderState(of: directory.path)
        let models = ["migrate", "repair"].contains(words[0]) ? models : []
        let run = try Self.ferry(
            [words[0], store] + words.dropFirst() + models + ["--timeout", "0"], in: directory.path)
        #expect(run.status == 2 && run.errors.contains("locks or the shared memory"), "\(run.summary)")
        #expect(run.errors.contains("No locks available") && !run.errors.contains("another process"), "\(run.summary)")
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
    }
}
