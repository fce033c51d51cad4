import Foundation
import TestSupport
import Testing

/// Stores whose file breaks off: what would give them the looks of whole ones refuses them.
@Suite final class CutStoreTests: CompanyStoreSuite {
    /// Before the last page, object or byte.
    static let cuts = [("sqlite", 4096), ("xml", 1000), ("xml", 12), ("binary", 1)]

    @Test(
        .long, arguments: cuts, [["metadata", "set", "key", "1"], ["metadata", "remove", "key"], ["copy", "Copy"]])
    func aStoreThatBreaksOffIsNeitherChangedNorCopied(cut: (type: String, bytes: Int), words: [String]) throws {
        let path = directory.file("Cut.store")
        let made = try ToolProcess.ferry(["convert", store, "--to", cut.type, "--output", path] + models)
        try #require(made.status < 2, "\(made.summary)")
        let marked = try ToolProcess.ferry(["metadata", path, "set", "key", "0"])
        try #require(marked.status == 0, "\(marked.summary)")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: handle.seekToEnd() - UInt64(cut.bytes))
        try handle.close()
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry([words[0], path] + words.dropFirst(), in: directory.path)
        #expect(run.status == 2 && run.errors.contains("Cut.store: "), "\(run.summary)")
        #expect(try FolderState(of: directory.path) == before)
    }
}
