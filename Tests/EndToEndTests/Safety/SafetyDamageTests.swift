import Foundation
import PersistentStores
import TestSupport
import Testing

/// Files that are not what they should be: a documented exit status, no signal, no end that never comes, and the bytes
/// stay.
@Suite struct SafetyDamageTests {
    /// Migrates a damaged store, and says what is wrong with how that ended.
    private static func faults(
        _ folder: TemporaryDirectory, _ store: String, _ words: [String] = [], mayWork: Bool = true
    ) throws -> [String] {
        let place = FileSystem.directory(of: folder.file("store/x"))
        let before = try FolderState(of: place)
        // A run that hangs ends with 124.
        let run = try ToolProcess.run(
            "/usr/bin/env",
            [
                "timeout", "60", ToolProcess.ferry, "migrate", store, "--models", Samples.models("Company"),
                "--progress", "none",
            ]
                + words)
        guard run.signal == nil, [0, 1, 2].contains(run.status) else { return ["\(store) \(words): \(run.summary)"] }
        if run.status == 2 {
            let changed = try FolderState(of: place).byteDifferences(from: before)
            if !changed.isEmpty { return ["\(words): changed \(changed): \(run.summary)"] }
            if run.errors.isEmpty && run.output.isEmpty { return ["\(words): no message"] }
        } else if !mayWork {
            return ["\(words) worked: \(run.summary)"]
        }
        return []
    }

    private static func store() throws -> (folder: TemporaryDirectory, store: String, bytes: Data) {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.file("store"), withIntermediateDirectories: true)
        let made = try TemporaryDirectory()
        let original = try Samples.buildStore("Company", in: made)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: original))
        try StoreFiles(original).copyAll(to: StoreFiles(folder.file("store/Company.sqlite")))
        return (folder, folder.file("store/Company.sqlite"), bytes)
    }

    @Test(
        .long,
        arguments: [0, 1, 15, 16, 50, 99, 100, 511, 512, 1000, 4095, 4096, 4097, 20_000, 65_536, 106_496, 110_591])
    func aTruncatedStoreIsRefused(length: Int) throws {
        let (folder, store, bytes) = try Self.store()
        for words in [[], ["--in-place"]] {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: store))
            #expect(try Self.faults(folder, store, words, mayWork: false) == [])
        }
    }

    /// Bytes at random places, with 160 seeds in all.
    @Test(.long, arguments: 0..<8)
    func bytesThatAreTurnedEndNoRunBadly(group: Int) throws {
        let (folder, store, bytes) = try Self.store()
        for seed in group * 20..<(group + 1) * 20 {
            var random = RandomNumbers(seed: UInt64(seed) &* 7919 &+ 1)
            var damaged = bytes
            for _ in 0..<([1, 2, 5, 20, 200].randomElement(using: &random) ?? 1) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try damaged.write(to: URL(fileURLWithPath: store))
            let words = [[], ["--in-place"], ["--output", folder.file("store/New-\(seed).sqlite")], ["--dry-run"]][
                seed % 4]
            #expect(try Self.faults(folder, store, words) == [], "seed \(seed)")
        }
    }

    /// The header says that all is well, and the pages behind it are noise.
    @Test(arguments: [[], ["--in-place"], ["--dry-run"]])
    func noiseBehindASoundHeaderIsRefused(words: [String]) throws {
        let (folder, store, bytes) = try Self.store()
        var random = RandomNumbers(seed: 5)
        var damaged = bytes
        for index in 100..<damaged.count { damaged[index] = UInt8.random(in: 0...255, using: &random) }
        try damaged.write(to: URL(fileURLWithPath: store))
        #expect(try Self.faults(folder, store, words, mayWork: false) == [])
    }

    private static let statements = [
        "UPDATE Z_METADATA SET Z_PLIST = 'text'", "UPDATE Z_METADATA SET Z_PLIST = X'62706C697374303000'",
        "UPDATE Z_METADATA SET Z_PLIST = zeroblob(100000)", "UPDATE Z_METADATA SET Z_PLIST = NULL",
        "UPDATE Z_METADATA SET Z_UUID = NULL", "DELETE FROM Z_METADATA",
        "INSERT INTO Z_METADATA SELECT 2, 'x', Z_PLIST FROM Z_METADATA",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807", "UPDATE Z_PRIMARYKEY SET Z_MAX = 'abc', Z_SUPER = 99",
        "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 9223372036854770000", "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT",
        "DELETE FROM Z_PRIMARYKEY", "DROP TABLE Z_PRIMARYKEY", "DROP TABLE ZPERSON",
        "UPDATE ZPERSON SET Z_ENT = 9223372036854775807",
        "UPDATE ZPERSON SET Z_PK = 9223372036854775807 WHERE Z_PK = 1",
        "UPDATE ZPERSON SET Z_PK = -9223372036854775807 - 1 WHERE Z_PK = 1",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'nonsense' WHERE name = 'ZPERSON'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 9999 WHERE name = 'ZPERSON'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 2 WHERE name = 'ZPERSON'",
    ]

    @Test(.long, arguments: statements)
    func nonsenseInSoundPagesEndsNoRunBadly(statement: String) throws {
        for words in [[], ["--in-place"], ["--dry-run"]] {
            let (folder, store, _) = try Self.store()
            _ = try ToolProcess.run("/usr/bin/env", ["sqlite3", store, ".dbconfig defensive off", statement])
            #expect(try Self.faults(folder, store, words) == [])
        }
    }

    /// Beside the store: a log, its index and a journal that are noise, or something else altogether.
    @Test(.long, arguments: ["-wal", "-shm", "-journal"], ["noise", "empty", "short", "folder", "pipe"])
    func whatLiesBesideTheStoreEndsNoRunBadly(suffix: String, kind: String) throws {
        for words in [[], ["--in-place"]] {
            let (folder, store, _) = try Self.store()
            var random = RandomNumbers(seed: 3)
            switch kind {
            case "folder":
                try FileManager.default.createDirectory(atPath: store + suffix, withIntermediateDirectories: false)
            case "pipe": mkfifo(store + suffix, 0o600)
            default:
                let count = ["noise": 50_000, "empty": 0, "short": 10][kind] ?? 0
                try Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
                    .write(to: URL(fileURLWithPath: store + suffix))
            }
            #expect(try Self.faults(folder, store, words) == [])
        }
    }

    @Test(.long, arguments: ["text", "empty", "folder", "dangling link", "link to itself", "pipe", "model", "nothing"])
    func whatIsNoStoreIsRefused(kind: String) throws {
        let (folder, store, _) = try Self.store()
        let path = folder.file("store/Odd.sqlite")
        let files = FileManager.default
        switch kind {
        case "text":
            try folder.write(
                "a text that is long enough " + String(repeating: ".", count: 2000), to: "store/Odd.sqlite")
        case "empty": try folder.write("", to: "store/Odd.sqlite")
        case "folder": try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "dangling link": try files.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        case "link to itself": try files.createSymbolicLink(atPath: path, withDestinationPath: "Odd.sqlite")
        case "pipe": mkfifo(path, 0o600)
        case "model": try files.copyItem(atPath: Samples.models("Company"), toPath: path)
        default: break
        }
        for words in [[], ["--in-place"], ["--output", folder.file("store/New.sqlite")], ["--dry-run"]] {
            #expect(try Self.faults(folder, path, words, mayWork: false) == [])
        }
        #expect(FileSystem.exists(store))
    }
}
