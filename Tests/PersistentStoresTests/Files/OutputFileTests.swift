import Foundation
import PersistentStores
import TestSupport
import Testing

/// Reports and other files of text: whole or not there, and nothing but a regular file is replaced.
@Suite struct OutputFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func whatIsThereIsReplacedAndKeepsItsPermissions() throws {
        let path = try directory.write("old", to: "report.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try FileSystem.writeOutput(Array("new".utf8), to: path, replacing: true)
        #expect(text(path) == "new")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        #expect(try FolderState(of: directory.path).names == ["report.json"])
    }

    /// Pieces of more bytes than are brought to the device at a time, and one after them.
    @Test func aLargeFileOfManyPiecesIsWholeOrNotThere() throws {
        let path = directory.file("large.bin")
        let pieces = (0..<5).map { number in [UInt8](repeating: UInt8(number), count: (7 << 20) + number) }
        var output: StagedOutput? = try StagedOutput(for: path, replacing: false)
        for piece in pieces { try output?.write(piece) }
        // Given up.
        output = nil
        #expect(try FolderState(of: directory.path).names == [])
        let other = try StagedOutput(for: path, replacing: false)
        for piece in pieces { try other.write(piece) }
        try other.finish()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(pieces.joined()))
    }

    @Test func whatIsThereStaysUnlessAsked() throws {
        let path = try directory.write("old", to: "report.json")
        let link = directory.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.file("nowhere"))
        for path in [path, link] {
            #expect(throws: StoreError(.exists, path: path)) {
                try FileSystem.writeOutput([1], to: path, replacing: false)
            }
        }
        #expect(text(path) == "old")
        #expect(try FolderState(of: directory.path).names == ["link", "report.json"])
    }

    @Test func aLinkIsFollowed() throws {
        let path = try directory.write("old", to: "report.json")
        let link = directory.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try FileSystem.writeOutput(Array("new".utf8), to: link, replacing: true)
        #expect(text(path) == "new" && FileSystem.isLink(link))
    }

    /// Renaming over it would put a file in the place of a device.
    @Test func whatIsNoFileIsWrittenToAndStays() throws {
        let pipe = directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try FileSystem.writeOutput(Array("new".utf8), to: pipe, replacing: false)
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &bytes, 8) == 3 && bytes.starts(with: "new".utf8))
        let device = directory.file("device")
        try FileManager.default.createSymbolicLink(atPath: device, withDestinationPath: "/dev/null")
        try FileSystem.writeOutput(Array("new".utf8), to: device, replacing: false)
        #expect(FileSystem.isLink(device) && FileSystem.isStream(device))
        #expect(try FolderState(of: directory.path).names == ["device", "pipe"])
    }

    @Test(arguments: [("missing/report.json", "its folder does not exist"), (".", "it is a folder")])
    func whatCannotBeWrittenSaysWhy(name: String, reason: String) throws {
        let path = directory.file(name)
        let error = #expect(throws: StoreError.self) { try FileSystem.writeOutput([1], to: path, replacing: true) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(String(describing: error))")
        #expect(try FolderState(of: directory.path).names == [])
    }
}
