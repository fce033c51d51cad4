import CompressedStreams
import TestSupport
import Testing

@Suite struct ZipArchiveTests {
    private let directory: TemporaryDirectory
    /// More than one piece of the reader.
    private let text = Array(String(repeating: "a sheet with rows ", count: 20_000).utf8)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func archive(_ bytes: [UInt8]) throws -> ZipArchive {
        try ZipArchive(path: directory.write(bytes, to: "a.zip"))
    }

    /// All bytes of a file in the archive, read in pieces of 1 000.
    private func content(_ name: String, of archive: ZipArchive) throws -> [UInt8] {
        let reader = try archive.reader(of: #require(archive.entry(named: name)))
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1000)
        while true {
            let count = try piece.withUnsafeMutableBytes { try reader.read(into: $0) }
            if count == 0 { return result }
            result += piece[..<count]
        }
    }

    @Test(arguments: [false, true]) func filesComeBack(isDeflated: Bool) throws {
        var writer = ZipWriter(deflate: isDeflated ? { try RawDeflate.deflate($0) } : nil)
        try writer.add("x/text", text)
        try writer.add("empty", [])
        for bytes in [writer.finished(), writer.finished(comment: "PK\u{5}\u{6} a comment"), writer.finishedLarge()] {
            let archive = try archive(bytes)
            #expect(archive.entries.map(\.name) == ["x/text", "empty"])
            #expect(try content("x/text", of: archive) == text)
            #expect(try content("empty", of: archive) == [])
            #expect(archive.entry(named: "x") == nil)
        }
    }

    @Test func filesThatAreNotWhatTheDirectorySaysAreRefused() throws {
        var writer = ZipWriter(deflate: { try RawDeflate.deflate($0) })
        try writer.add("checksum", text, checksum: 1)
        try writer.add("larger", text, size: 1000)
        try writer.add("smaller", text, size: text.count + 1)
        try writer.add("locked", text, flags: 1)
        try writer.add("method", text, method: 14)
        try writer.add("noise", Array("not deflated".utf8), method: 8)
        let archive = try archive(writer.finished())
        func error(_ name: String) -> String { "\(#expect(throws: ZipError.self) { try content(name, of: archive) }!)" }
        #expect(error("checksum").contains("checksum does not have its checksum"))
        #expect(error("larger").contains("larger is larger than the directory says"))
        #expect(error("smaller").contains("smaller does not have its checksum"))
        #expect(error("locked").contains("locked is encrypted"))
        #expect(error("method").contains("compressed by method 14"))
    }

    @Test func whatIsNoArchiveIsRefused() throws {
        for bytes in [[], [0x50, 0x4B], Array("PK\u{3}\u{4} and no more, for some twenty bytes".utf8)] {
            #expect(throws: ZipError.notAnArchive) { try archive(bytes) }
        }
        #expect(throws: ZipError.cannotOpen(systemError: 2)) { try ZipArchive(path: directory.file("none")) }
    }

    /// Damage of any kind is an error or gives bytes with the checksum, and nothing else.
    @Test func mutatedArchivesAreReadOrRefused() throws {
        var writer = ZipWriter(deflate: { try RawDeflate.deflate($0) })
        try writer.add("a", Array(text.prefix(3000)))
        try writer.add("b/c", Array("short".utf8))
        let good = writer.finished()
        var random = RandomNumbers(seed: 7)
        var refused = 0
        for _ in 0..<1500 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            do {
                let archive = try archive(bytes)
                for entry in archive.entries { _ = try content(entry.name, of: archive) }
            } catch is ZipError {
                refused += 1
            }
        }
        #expect(refused > 500)
    }
}
