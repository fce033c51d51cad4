import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Real stores, read in place.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is absent"))
struct CorpusReadingTests {
    static let stores = Corpus.files(under: "3_stores") { name in
        let endings = ["sqlite", "store", "moody", "wiredatabase", "persistentStore", "CDBStore", "dsidx"]
        return endings.contains { name.hasSuffix($0) }
    }.filter { path in
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }

    @Test func thereAreStoresToRead() {
        #expect(Self.stores.count > 80)
    }

    /// What SQLite itself finds when it may write, in a copy, is what reading alone must find.
    @Test(.long, arguments: stores)
    func readingFindsWhatAWriterFindsAndLeavesTheDirectoryAlone(_ path: String) throws {
        let directory = (path as NSString).deletingLastPathComponent
        let before = try DirectoryState(of: directory)
        let read = try content { try Connection(path: path, access: .readOnly) }
        #expect(try DirectoryState(of: directory) == before)

        let copies = try TemporaryDirectory()
        for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try copies.write(Array(Data(contentsOf: URL(fileURLWithPath: path + suffix))), to: "copy" + suffix)
        }
        let written = try content { try Connection(path: copies.file("copy"), access: .readWrite) }
        #expect(read == written)
    }

    @Test(arguments: stores)
    func theHeaderTellsWhetherItIsADatabase(_ path: String) throws {
        let file = try DatabaseFile(path: path)
        do throws(SQLiteError) {
            let connection = try Connection(path: path, access: .readOnly)
            #expect(file.isSQLite || file.isEmpty)
            if file.isSQLite, (file.writeAheadLogSize ?? 0) == 0 {
                #expect(try connection.value("PRAGMA page_size").integer == file.pageSize.map(Int64.init))
                #expect(try connection.value("PRAGMA user_version").integer == file.userVersion.map(Int64.init))
            }
        } catch {
            #expect(error.isNotADatabase)
            #expect(!file.isSQLite)
        }
    }

    /// All tables and all rows, or the code of the error.
    private func content(_ open: () throws -> Connection) throws -> [String: [[SQLiteValue]]] {
        do {
            let connection = try open()
            var content: [String: [[SQLiteValue]]] = [:]
            let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
            for row in try connection.rows(tables) {
                let name = row[0].string ?? ""
                content[name] = try connection.rows("SELECT * FROM " + SQLiteIdentifier.quoted(name))
            }
            return content
        } catch let error as SQLiteError {
            return ["error \(error.code)": []]
        }
    }
}
