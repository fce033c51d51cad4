import Foundation
import PersistentStores
import TestSupport
import Testing

@Suite struct StagedFileTests {
    @Test func takesThePlaceOfAFile() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("old", to: "Store.sqlite")
        do {
            let staged = try StagedFile(for: path)
            #expect(FileSystem.directory(of: staged.path) == directory.path)
            try Data("new".utf8).write(to: URL(fileURLWithPath: staged.path))
            try staged.synchronize()
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
            _ = try staged.move(to: path, replacing: true)
            #expect(staged.isMoved)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        #expect(try FileSystem.names(in: directory.path) == ["Store.sqlite"])
    }

    /// A large one goes to the device while it is still written to; both are there in the end, or nothing is.
    @Test(arguments: [true, false]) func canBeginToSynchronizeEarly(isMoved: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("Store.sqlite")
        do {
            let staged = try StagedFile(for: path)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: staged.path))
            try file.truncate(atOffset: 20 << 20)
            staged.beginSynchronizing()
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data("late".utf8))
            staged.beginSynchronizing()
            try file.close()
            if isMoved {
                try staged.synchronize()
                _ = try staged.move(to: path, replacing: false)
            }
        }
        #expect(try FileSystem.names(in: directory.path) == (isMoved ? ["Store.sqlite"] : []))
        #expect(FileSystem.size(path) == (isMoved ? 20 << 20 : nil))
        guard isMoved else { return }
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        #expect(try file.read(upToCount: 4) == Data("late".utf8))
    }

    @Test func isGoneWhereItWasNotMoved() throws {
        let directory = try TemporaryDirectory()
        do {
            let staged = try StagedFile(for: directory.file("Store.sqlite"))
            try Data("x".utf8).write(to: URL(fileURLWithPath: staged.path + "-wal"))
            try Data("x".utf8).write(to: URL(fileURLWithPath: staged.path + "-journal"))
        }
        #expect(try FileSystem.names(in: directory.path) == [])
    }

    @Test func doesNotReplaceWhatItMustNot() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("precious", to: "Store.sqlite")
        do {
            let staged = try StagedFile(for: path)
            #expect(throws: StoreError(.exists, path: path)) { try staged.move(to: path, replacing: false) }
            #expect(!staged.isMoved)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        #expect(try FileSystem.names(in: directory.path) == ["Store.sqlite"])
    }

    @Test func whatAKilledRunLeftIsEmptied() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("Store.sqlite")
        let staging = StagedFile.stagingPath(for: path)
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try Data("left".utf8).write(to: URL(fileURLWithPath: staging + suffix))
        }
        let staged = try StagedFile(for: path)
        #expect(staged.path == staging)
        #expect(FileSystem.size(staging) == 0)
        #expect(try FileSystem.names(in: directory.path).count == 1)
    }

    @Test func twoRunsDoNotShareOne() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("Store.sqlite")
        let first = try StagedFile(for: path)
        // The second lock is of the same process, and of another open file all the same.
        #expect(throws: StoreError(.busyStaging, path: first.path)) { try StagedFile(for: path) }
        #expect(FileSystem.exists(first.path))
    }

    @Test func hasThePermissionsOfTheOriginal() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("old", to: "Store.sqlite")
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: path)
        let staged = try StagedFile(for: path)
        #expect(staged.adoptAttributes(of: path).isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: staged.path)
        #expect(attributes[.posixPermissions] as? Int == 0o604)
    }

    @Test func aStaleOneThatIsTheStoreByAnotherNameIsNotWrittenTo() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("whole", to: "Store.sqlite")
        // As a run leaves it that is killed between the two names of a new store.
        try FileManager.default.linkItem(atPath: path, toPath: StagedFile.stagingPath(for: path))
        do {
            let staged = try StagedFile(for: path)
            #expect(FileSystem.size(staged.path) == 0)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole")
        }
        #expect(try FileSystem.names(in: directory.path) == ["Store.sqlite"])
    }

    @Test func oneOfALivingRunStays() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("Store.sqlite")
        let staged = try StagedFile(for: path)
        StagedFile.removeStale(for: path)
        #expect(FileSystem.exists(staged.path))
    }

    @Test func nobodyElseMayReadAPrivateOne() throws {
        let directory = try TemporaryDirectory()
        let staged = try StagedFile(for: directory.file("Store.sqlite"), isPrivate: true)
        let attributes = try FileManager.default.attributesOfItem(atPath: staged.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [1, 200, 232, 233, 247])
    func everyNameThatSQLiteCanUseHasAStagingName(length: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file(String(repeating: "n", count: length))
        let staged = try StagedFile(for: path)
        try Data().write(to: URL(fileURLWithPath: staged.path + "-journal"))
        _ = try staged.move(to: path, replacing: false)
        #expect(FileSystem.exists(path))
        try FileSystem.remove(staged.path + "-journal")
    }

    @Test func namesThatDifferAtTheEndDoNotShareOne() {
        let name = String(repeating: "ü", count: 120)
        #expect(StagedFile.stagingPath(for: name + "a") != StagedFile.stagingPath(for: name + "b"))
    }
}
