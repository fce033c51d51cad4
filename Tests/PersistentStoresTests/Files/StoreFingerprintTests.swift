import Foundation
import PersistentStores
import Testing
import TestSupport

@Suite struct StoreFingerprintTests {
    @Test func everyWriteAfterASettledLookShows() throws {
        let directory = try TemporaryDirectory()
        let files = StoreFiles(try directory.write("0", to: "Store.sqlite"))
        for round in 1...20 {
            let before = StoreFingerprint(of: files, isSettled: true)
            let handle = try #require(FileHandle(forWritingAtPath: files.path))
            try handle.write(contentsOf: Data("\(round % 10)".utf8))
            try handle.close()
            #expect(StoreFingerprint(of: files) != before)
        }
    }

    @Test func anEmptyLogIsNone() throws {
        let directory = try TemporaryDirectory()
        let files = StoreFiles(try directory.write("x", to: "Store.sqlite"))
        let before = StoreFingerprint(of: files)
        try directory.write("", to: "Store.sqlite-wal")
        #expect(StoreFingerprint(of: files) == before)
        try directory.write("x", to: "Store.sqlite-wal")
        #expect(StoreFingerprint(of: files) != before)
    }

    @Test func anotherFileInItsPlaceShows() throws {
        let directory = try TemporaryDirectory()
        let files = StoreFiles(try directory.write("x", to: "Store.sqlite"))
        let before = StoreFingerprint(of: files, isSettled: true)
        let other = try directory.write("y", to: "other")
        try FileSystem.rename(other, to: files.path)
        #expect(StoreFingerprint(of: files) != before)
    }
}
