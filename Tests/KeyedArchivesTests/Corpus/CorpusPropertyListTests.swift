import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not beside the project"))
struct CorpusPropertyListTests {
    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static let allArchives =
        Corpus.files(under: "5_compiled") { $0.hasSuffix(".mom") || $0.hasSuffix(".cdm") }
        + Corpus.files(under: "6_xcode3_models") { $0 == "elements" || $0 == "layout" }

    /// In one project a version control system took the files for text and made line feeds of all carriage returns.
    static let damaged = allArchives.filter { path in
        (try? bytes(path)).map { PropertyListReader.format(of: $0) == .binary && !$0.contains(0x0D) } ?? true
    }

    static let archives = allArchives.filter { !damaged.contains($0) }

    static let lists =
        Corpus.files(under: "5_compiled") { $0 == "VersionInfo.plist" }
        + Corpus.files(under: "") { $0 == ".xccurrentversion" }

    @Test(.long, arguments: archives + lists)
    func everyPropertyListIsWrittenAndReadBackEqual(path: String) throws {
        let value = try PropertyListReader.value(from: Self.bytes(path))
        let again = try BinaryPropertyListReader.value(from: BinaryPropertyListWriter.bytes(for: value))
        #expect(again == value)
    }

    /// Apple's writers do not always notice equal text.
    @Test(.long) func whatIsWrittenIsNeverLongerThanTheOriginal() throws {
        for path in Self.archives + Self.lists {
            let bytes = try Self.bytes(path)
            guard PropertyListReader.format(of: bytes) == .binary else { continue }
            let written = BinaryPropertyListWriter.bytes(for: try PropertyListReader.value(from: bytes))
            #expect(written.count <= bytes.count, "\(path)")
        }
    }

    @Test func currentVersionFilesAreWrittenByteForByte() throws {
        for path in Self.lists where path.hasSuffix(".xccurrentversion") {
            let bytes = try Self.bytes(path)
            let text = try XMLPropertyListWriter.text(for: PropertyListReader.value(from: bytes))
            // Older tools wrote the company's longer name into the document type.
            #expect(
                text == String(decoding: bytes, as: UTF8.self).replacing("Apple Computer", with: "Apple"), "\(path)")
        }
    }

    @Test(arguments: damaged)
    func archivesWithConvertedLineEndsAreNamedAsSuch(path: String) throws {
        #expect(Self.damaged.count == 14)
        do {
            _ = try PropertyListReader.value(from: Self.bytes(path))
            Issue.record("a damaged file was read")
        } catch let error as PropertyListError {
            #expect(error.code == .lineEndsConverted)
        }
    }

    @Test(.long, arguments: archives)
    func everyArchiveIsReadToItsLastObject(path: String) throws {
        #expect(try ArchiveWalk.objectCount(Self.bytes(path)) > 1)
    }
}
