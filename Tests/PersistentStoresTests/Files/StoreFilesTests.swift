import Foundation
import PersistentStores
import SQLiteAccess
import Testing
import TestSupport

@Suite struct StoreFilesTests {
    @Test(arguments: [
        ("/a/Store.sqlite", "/a/.Store_SUPPORT"), ("Store", "./.Store_SUPPORT"), ("/a.b/Store", "/a.b/.Store_SUPPORT"),
        ("x/Two.parts.sqlite", "x/.Two.parts_SUPPORT"), ("a/.hidden", "a/..hidden_SUPPORT"),
    ])
    func theSupportFolderIsNamedAfterTheStore(path: String, folder: String) {
        #expect(StoreFiles(path).supportDirectory == folder)
    }

    @Test func onlyALinkIsFollowed() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("x", to: "Store.sqlite")
        try FileManager.default.createSymbolicLink(atPath: directory.file("Link"), withDestinationPath: "Store.sqlite")
        #expect(StoreFiles(followingLinks: file).path == file)
        #expect(StoreFiles(followingLinks: directory.file("Link")).path == FileSystem.resolvingLinks(file))
        #expect(StoreFiles(followingLinks: directory.file("absent")).path == directory.file("absent"))
    }

    @Test func aCopyThatFailsLeavesNothing() throws {
        let directory = try TemporaryDirectory()
        let source = StoreFiles(try directory.write("main", to: "Store.sqlite"))
        try directory.write("log", to: "Store.sqlite-wal")
        try FileSystem.createDirectory(source.externalDataDirectory)
        // A link to nothing cannot be copied.
        try FileManager.default.createSymbolicLink(
            atPath: source.externalDataDirectory + "/X", withDestinationPath: "nothing")
        try FileSystem.createDirectory(directory.file("copy"))
        #expect(throws: FileError.self) { try source.copy(to: StoreFiles(directory.file("copy/Store.sqlite"))) }
        #expect(try FileSystem.names(in: directory.file("copy")) == [])
    }

    @Test func aCopyTakesLogAndExternalDataAlong() throws {
        let directory = try TemporaryDirectory()
        let source = StoreFiles(try directory.write("main", to: "Store.sqlite"))
        try directory.write("log", to: "Store.sqlite-wal")
        try directory.write("index", to: "Store.sqlite-shm")
        try FileSystem.createDirectory(source.externalDataDirectory)
        try directory.write("data", to: ".Store_SUPPORT/_EXTERNAL_DATA/X")
        try FileSystem.createDirectory(directory.file("copy"))
        try source.copy(to: StoreFiles(directory.file("copy/Store.sqlite")))
        #expect(
            try FileSystem.names(in: directory.file("copy")) == [".Store_SUPPORT", "Store.sqlite", "Store.sqlite-wal"])
        #expect(FileSystem.size(directory.file("copy/.Store_SUPPORT/_EXTERNAL_DATA/X")) == 4)
    }
}
