import Foundation
import TestSupport
import Testing

@testable import PersistentStores

@Suite struct FileRightsTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: [(0o640, 0o640, 0o750), (0o600, 0o600, 0o700), (0o400, 0o400, 0o700), (0o4755, 0o755, 0o755)])
    func whatIsMadeBesideAStoreHasItsRights(store: Int, file: Int, folder: Int) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("store", to: "Store.sqlite")
        #expect(chmod(path, mode_t(store)) == 0)
        let other = try directory.write("other", to: "other")
        try FileManager.default.createDirectory(
            atPath: directory.file("folder"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
        let rights = try #require(FileRights(of: path))
        rights.give(to: other)
        rights.forFolder.give(to: directory.file("folder"))
        #expect(try mode(other) == file)
        #expect(try mode(directory.file("folder")) == folder)
        let staged = try StagedFile(for: directory.file("New.sqlite"))
        #expect(staged.adoptAttributes(of: path).isEmpty)
        #expect(try mode(staged.path) == file)
        #expect(staged.adoptAttributes(of: directory.file("nothing")) == FileAttribute.allCases)
    }
}
