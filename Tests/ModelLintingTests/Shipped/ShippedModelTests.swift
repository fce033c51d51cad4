import Foundation
import ManagedObjectModels
import ModelLinting
import TestSupport
import Testing

/// Edits of versions that were shipped, against a folder and against a revision.
@Suite struct ShippedModelTests {
    private static let entity =
        "<entity name=\"A\"><attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/></entity>"
    private static let retyped =
        "<entity name=\"A\"><attribute name=\"a\" optional=\"YES\" attributeType=\"Date\"/></entity>"
    private static let otherClass = entity.replacing("name=\"A\"", with: "name=\"A\" representedClassName=\"C\"")

    private func listing(_ now: ModelFolder, against old: String) throws -> [String] {
        try ModelLinter.findings(in: now.versions(), against: ModelVersions(path: old), label: "1.0")
            .map { "\($0.code.rawValue) \($0.subject ?? $0.version)" }
    }

    @Test func aFolderIsComparedVersionByVersion() throws {
        let old = try ModelFolder([
            ("One", Self.entity), ("Two", Self.entity), ("Three", Self.entity), ("Four", Self.entity),
        ])
        let now = try ModelFolder([
            ("One", Self.entity), ("Two", Self.retyped), ("Three", Self.otherClass), ("Five", Self.retyped),
        ])
        let found = try listing(now, against: old.bundle)
        #expect(Set(found) == ["FM701 A", "FM702 M/Three", "FM703 M/Four"])
        #expect(try listing(now, against: now.bundle) == [])
    }

    @Test func whatWasNotReadableIsSaid() throws {
        let old = try ModelFolder([("One", "<entity name=\"A\" parentEntity=\"B\"/>")])
        #expect(try listing(try ModelFolder([("One", Self.entity)]), against: old.bundle) == ["FM704 M/One"])
    }

    private func git(_ words: [String], in folder: String) throws {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        let run = try ToolProcess.run("/usr/bin/env", ["git", "-C", folder] + identity + words)
        try #require(run.status == 0, "\(run.summary)")
    }

    /// A repository whose tag v1 has two versions, of which one was edited since.
    private func repository() throws -> ModelFolder {
        let models = try ModelFolder([("One", Self.entity), ("Two", Self.entity)], in: "app/möd els/")
        try git(["init", "-q"], in: models.directory.path)
        try git(["add", "-A"], in: models.directory.path)
        try git(["commit", "-q", "-m", "one"], in: models.directory.path)
        try git(["tag", "v1"], in: models.directory.path)
        try models.write(Self.retyped, as: "Two")
        return models
    }

    @Test func aRevisionIsComparedAndNothingInTheRepositoryChanges() throws {
        let models = try repository()
        let before = try FolderState(of: models.directory.path)
        let snapshot = try GitSnapshot(of: models.bundle, revision: "v1")
        let path = try #require(snapshot.path)
        #expect(try listing(models, against: path) == ["FM701 A"])
        #expect(try FolderState(of: models.directory.path) == before)
    }

    @Test func aSnapshotGoesWithItsObject() throws {
        let models = try repository()
        var snapshot: GitSnapshot? = try GitSnapshot(of: models.bundle, revision: "HEAD")
        let path = try #require(snapshot?.path)
        #expect(FileManager.default.fileExists(atPath: path))
        snapshot = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aModelThatIsNewHasNoPathThere() throws {
        let models = try repository()
        let new = models.directory.file("New.xcdatamodeld/New.xcdatamodel")
        try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: true)
        #expect(try GitSnapshot(of: new, revision: "v1").path == nil)
    }

    @Test(arguments: ["v2", "--help", "HEAD:app", ""])
    func anUnknownRevisionIsSaid(name: String) throws {
        let models = try repository()
        #expect(throws: GitError(.unknownRevision(name))) { try GitSnapshot(of: models.bundle, revision: name) }
    }

    @Test func aFolderWithoutRepositoryIsSaid() throws {
        let models = try ModelFolder(Self.entity)
        do throws(GitError) {
            _ = try GitSnapshot(of: models.bundle, revision: "HEAD")
            Issue.record("accepted")
        } catch {
            #expect(error.description.contains("is in no Git repository"), "\(error)")
        }
    }
}
