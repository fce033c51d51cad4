import CommandLineParsing
import Foundation
import TestSupport
import Testing

/// A folder of the repository whose files are generated. `FERRY_RECORD=1` writes them again, and fails to say so.
struct RecordedFolder {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Compares the files of the folder with those that are expected: no other, and each byte for byte.
    func check(_ documents: [RenderedDocument]) throws {
        let files = FileManager.default
        let folder = Documentation.folder + "/" + path
        let present = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        let differing = documents.filter { document in
            files.contents(atPath: folder + "/" + document.name) != Data(document.text.utf8)
        }
        let surplus = Set(present).subtracting(documents.map(\.name))
        guard !differing.isEmpty || !surplus.isEmpty else { return }
        let names = (differing.map(\.name) + surplus).sorted().joined(separator: ", ")
        guard TestSettings.records else {
            Issue.record("\(path) does not say what the option tables say: \(names). FERRY_RECORD=1 writes it again.")
            return
        }
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in surplus { try files.removeItem(atPath: folder + "/" + name) }
        for document in differing {
            try Data(document.text.utf8).write(to: URL(fileURLWithPath: folder + "/" + document.name))
        }
        Issue.record("\(path) is written again: \(names). Look at it and run without FERRY_RECORD.")
    }
}
