import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Folders for temporary files: what a killed run has left goes, and nothing else.
@Suite struct TemporaryFolderTests {
    private let kind = "ferry-test-\(UInt32.random(in: 0...UInt32.max))-"
    private let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"

    @Test func aFolderIsNobodyElsesAndGoesWithItsValue() throws {
        var folder: TemporaryFolder? = try TemporaryFolder(kind: kind)
        let path = try #require(folder?.path)
        #expect(path.hasPrefix(parent + "/" + kind))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        try FileManager.default.createDirectory(atPath: path + "/a/b", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: path + "/a/b/c"))
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func whatAKilledRunHasLeftGoesWithTheNext() throws {
        let (dead, other) = (parent + "/" + kind + "dEad00", parent + "/" + kind + "other-name")
        let elsewhere = try TemporaryDirectory()
        let kept = try elsewhere.write("kept", to: "kept")
        for path in [dead, other] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        defer { try? FileManager.default.removeItem(atPath: other) }
        try Data([1]).write(to: URL(fileURLWithPath: dead + "/database"))
        try FileManager.default.createSymbolicLink(atPath: dead + "/link", withDestinationPath: elsewhere.path)
        let living = try TemporaryFolder(kind: kind)
        #expect(!FileManager.default.fileExists(atPath: dead))
        #expect(FileManager.default.fileExists(atPath: other) && FileManager.default.fileExists(atPath: kept))
        let second = try TemporaryFolder(kind: kind)
        #expect(FileManager.default.fileExists(atPath: living.path) && second.path != living.path)
    }
}
