import CompressedStreams
import Foundation
import KeyedArchives
import SQLiteAccess
import TestSupport
import Testing

/// The property lists inside of real stores.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not beside the project"))
struct CorpusStoreListTests {
    private static let stores =
        Corpus.files(under: "3_stores") { _ in true } + Corpus.files(under: "../formats/hash-samples") { _ in true }

    private static func blob(_ query: String, of path: String) throws -> [UInt8]? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            FileHandle(forReadingAtPath: path)?.readData(ofLength: 15) == Data("SQLite format 3".utf8),
            let connection = try? Connection(path: path, access: .readOnly),
            case .blob(let bytes)? = try? connection.rows(query).first?.first
        else { return nil }
        return bytes
    }

    @Test func metadataIsWrittenAndReadBackEqual() throws {
        var count = 0
        for path in Self.stores {
            guard let bytes = try Self.blob("SELECT Z_PLIST FROM Z_METADATA", of: path) else { continue }
            let value = try PropertyListReader.value(from: bytes)
            #expect(value["NSStoreType"] == "SQLite", "\(path)")
            let written = BinaryPropertyListWriter.bytes(for: value)
            #expect(try BinaryPropertyListReader.value(from: written) == value, "\(path)")
            #expect(written.count <= bytes.count, "\(path)")
            count += 1
        }
        #expect(count > 120)
    }

    @Test(.long) func modelsAreUnpackedReadToTheLastObjectAndWrittenBack() throws {
        var count = 0
        for path in Self.stores {
            guard let packed = try Self.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", of: path) else { continue }
            let bytes = try RawDeflate.inflate(packed, limit: 1 << 24)
            #expect(try RawDeflate.inflate(RawDeflate.deflate(bytes), limit: bytes.count) == bytes)
            #expect(try ArchiveWalk.objectCount(bytes) > 4)
            count += 1
            // A tenth of them, as they are large.
            guard count.isMultiple(of: 10) else { continue }
            let value = try BinaryPropertyListReader.value(from: bytes)
            let again = try BinaryPropertyListReader.value(from: BinaryPropertyListWriter.bytes(for: value))
            #expect(again == value, "\(path)")
        }
        #expect(count > 90)
    }
}
