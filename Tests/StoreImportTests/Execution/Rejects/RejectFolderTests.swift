import Foundation
import PersistentStores
import TestSupport
import Testing

@testable import RecordSources
@testable import StoreImport

/// The folder of rejected records: what another import left there stays, unless it is to be replaced.
@Suite struct RejectFolderTests {
    private let fixture: ImportFixture
    private let folder: String

    init() throws {
        fixture = try ImportFixture(
            entities: "<entity name='A'><attribute name='name' attributeType='String'/>"
                + "<attribute name='age' attributeType='Integer 16'/></entity>")
        folder = fixture.directory.file("rejects")
    }

    private static let mapping = "entity: A\nkey: name\nattributes: [name, age]"

    private func options(rows: Int = 1000, replaces: Bool = false) -> ImportOptions {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.rejectsDirectory = folder
        options.replacesRejects = replaces
        return options
    }

    private func run(_ text: String, as name: String = "a.csv", _ options: ImportOptions) throws -> ImportReport {
        try fixture.run(text, as: name, mapping: Self.mapping, options: options)
    }

    @Test(arguments: [
        "rejects.csv", "rejects.ndjson", "a.rejected.csv", "a.rejected-2.csv", "a.unlinked.csv", "a.rejected.json",
    ])
    func whatAnotherImportLeftIsRefusedBeforeAnythingIsDone(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = try fixture.write("mended by hand", as: "rejects/" + name)
        // Even where no record would be rejected.
        for text in ["name,age\na,1\n", "name,age\na,x\n"] {
            for commit in ImportOptions.Commit.allCases {
                var options = options()
                options.commit = commit
                #expect(throws: ImportError.rejectsExist(path)) { try run(text, options) }
                #expect(!FileSystem.exists(fixture.store))
            }
        }
        #expect(try FileSystem.names(in: folder) == [name])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mended by hand")
        #expect(try run("name,age\na,x\nb,1\n", options(replaces: true)).rejected == 1)
        #expect(try String(contentsOfFile: folder + "/a.rejected.csv", encoding: .utf8) == "name,age\na,x\n")
    }

    @Test(arguments: ["b.rejected.csv", "a.csv", "a.rejected", "rejects.txt", "aa.rejected.csv"])
    func whatTheImportDoesNotWriteIsNotInItsWay(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try fixture.write("mine", as: "rejects/" + name)
        #expect(try run("name,age\na,x\n", options()).rejected == 1)
        #expect(try String(contentsOfFile: folder + "/" + name, encoding: .utf8) == "mine")
    }

    @Test func aSecondImportIntoTheFolderIsRefused() throws {
        #expect(try run("name,age\na,x\n", options()).rejected == 1)
        let before = try FileSystem.names(in: folder).sorted()
        #expect(throws: ImportError.rejectsExist(folder + "/a.rejected.csv")) { try run("name,age\na,x\n", options()) }
        #expect(throws: ImportError.rejectsExist(folder + "/rejects.csv")) {
            try run("name,age\na,x\n", as: "b.csv", options())
        }
        #expect(try FileSystem.names(in: folder).sorted() == before)
    }

    @Test func aFileThatAppearsWhileTheImportRunsIsNotReplaced() throws {
        var options = options(rows: 1)
        options.onProgress = { [folder] records, _ in
            guard records == 1 else { return }
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try? Data("other".utf8).write(to: URL(fileURLWithPath: folder + "/a.rejected.csv"))
        }
        let error = #expect(throws: SourceError.self) { try run("name,age\na,1\nb,x\n", options) }
        #expect(error?.code == .cannotWrite(systemError: EEXIST))
        #expect(try String(contentsOfFile: folder + "/a.rejected.csv", encoding: .utf8) == "other")
        #expect(!FileSystem.exists(fixture.store))
    }

    /// - Parameter commits: after so many the import stops, with what it has written behind the last one.
    @Test(arguments: [1, 2, 3], [false, true])
    func aResumedImportGoesOnWithItsOwnFilesOnly(commits: Int, isElsewhere: Bool) throws {
        let text = "name,age\na,x\nb,1\nc,y\nd,z\n"
        var options = options(rows: 1)
        options.commit = .batch
        var left = commits
        options.onCheckpoint = { if $0 == "batch written" { left -= 1 } }
        options.isCancelled = { left < 0 }
        #expect(throws: ImportError.cancelledBetweenBatches) { try run(text, options) }
        options.onCheckpoint = nil
        options.isCancelled = nil
        options.isResuming = true
        if isElsewhere {
            options.rejectsDirectory = fixture.directory.file("others")
            try FileManager.default.createDirectory(
                atPath: fixture.directory.file("others"), withIntermediateDirectories: true)
            let other = try fixture.write("other", as: "others/rejects.csv")
            #expect(throws: ImportError.rejectsExist(other)) { try run(text, options) }
            #expect(try String(contentsOfFile: other, encoding: .utf8) == "other")
        }
        options.rejectsDirectory = folder
        #expect(try run(text, options).rejected == 3)
        #expect(try String(contentsOfFile: folder + "/a.rejected.csv", encoding: .utf8) == "name,age\na,x\nc,y\nd,z\n")
        let log = try String(contentsOfFile: folder + "/rejects.csv", encoding: .utf8)
        #expect(log.split(separator: "\r\n").count == 4)
    }
}
