import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Settings of new stores, and patience with locks.
@Suite final class StoreOptionTests: CompanyStoreSuite {
    @Test(arguments: [
        ("journal_mode", "persist", "persist"), ("page_size", "8192", "8192"), ("auto_vacuum", "full", "1"),
    ])
    func aPragmaSetsANewStoreUp(_ name: String, _ value: String, _ answer: String) throws {
        let path = directory.file("New.sqlite")
        let run = try ToolProcess.ferry(["convert", store, "--output", path, "--pragma", "\(name)=\(value)"] + models)
        #expect(run.status < 2, "\(run.summary)")
        // The mode of a journal that stays is that of each connection.
        let connection = try Connection(path: path, access: .readOnly)
        let found = try connection.value("PRAGMA \(name)")
        #expect(found.string == (name == "journal_mode" ? "delete" : nil) || found.integer.map(String.init) == answer)
    }

    @Test(arguments: [
        "journal_mode=OFF", "journal_mode=MEMORY", "journal_mode=WAL; DROP TABLE ZPERSON", "page_size=17",
        "page_size=0",
        "auto_vacuum=3", "writable_schema=1", "trusted_schema=1", "key=x", "synchronous=",
    ])
    func whatIsUnsafeOrUnknownIsRefused(_ pragma: String) throws {
        let path = directory.file("New.sqlite")
        let run = try ToolProcess.ferry(["convert", store, "--output", path, "--pragma", pragma] + models)
        #expect(run.status == 64 && run.errors.contains("--pragma"), "\(run.summary)")
        #expect(!FileSystem.exists(path))
    }

    /// The message has what could be written instead.
    @Test(arguments: [
        ("foo=1", ["auto_vacuum, journal_mode, page_size"]),
        ("jurnal_mode=wal", ["auto_vacuum, journal_mode", "did you mean journal_mode?"]),
        ("page_size=17", ["512, 1024, 2048"]), ("journal_mode=wall", ["delete, truncate", "did you mean wal?"]),
    ])
    func whatThereIsIsNamed(_ pragma: String, _ texts: [String]) throws {
        let run = try ToolProcess.ferry(
            ["convert", store, "--output", directory.file("New.sqlite"), "--pragma", pragma] + models)
        #expect(run.status == 64 && texts.allSatisfy(run.errors.contains), "\(run.summary)")
    }

    @Test(
        .long,
        arguments: [
            ["verify"], ["repair", "--fix", "order-keys"], ["fetch", "--entity", "Project"],
            ["export", "--entity", "Project"],
            ["convert", "--output", "New.xml"], ["inspect"], ["metadata"], ["migrate"],
            ["migrate", "--output", "New.xml"], ["migrate", "--in-place"],
        ])
    func aLockIsSaidAfterTheTime(_ words: [String]) throws {
        let path = directory.file("Locked.sqlite")
        #expect(
            try ToolProcess.ferry(["convert", store, "--output", path, "--pragma", "journal_mode=DELETE"] + models)
                .status < 2)
        let other = try Connection(path: path, access: .readWrite)
        try other.execute("BEGIN EXCLUSIVE")
        let models = words[0] == "metadata" ? [] : models
        let run = try ToolProcess.ferry(
            [words[0], path] + words.dropFirst() + models + ["--timeout", "0"], in: directory.path)
        #expect(run.status == 3 && run.errors.contains("locked"), "\(run.summary)")
        #expect(!FileSystem.exists(directory.file("New.xml")))
        try other.execute("ROLLBACK")
    }
}
