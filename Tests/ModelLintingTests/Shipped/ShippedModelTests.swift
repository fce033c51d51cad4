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

    /// A version that was shipped and has the marks of a merge since.
    @Test func whatIsNotReadableNowIsAFindingAndTheOthersAreCompared() throws {
        let old = try ModelFolder([("One", Self.entity), ("Two", Self.entity)])
        let now = try ModelFolder([("One", "<<<<<<< HEAD"), ("Two", Self.retyped)])
        #expect(try listing(now, against: old.bundle) == ["FM011 M/One", "FM701 A"])
    }

    /// Each version has a counterpart in the bundle of its own name; other bundles have versions of that name, too.
    @Test func aVersionIsNotComparedWithThatOfAnotherBundle() throws {
        let shipped = try ModelFolder([("One", Self.entity)])
        try shipped.write(Self.retyped, as: "One", in: "Other")
        let now = try ModelFolder([("One", Self.entity), ("Two", Self.entity)])
        #expect(try listing(now, against: shipped.directory.path) == [])
        try shipped.write(Self.entity, as: "Two", in: "Other")
        #expect(try listing(now, against: shipped.directory.path) == [])
        try now.write(Self.retyped, as: "One")
        #expect(try listing(now, against: shipped.directory.path) == ["FM701 A"])
        let only = try ModelVersions(path: now.bundle + "/One.xcdatamodel")
        let found = try ModelLinter.findings(
            in: only, against: ModelVersions(path: shipped.directory.path), label: "1.0")
        #expect(found.map(\.code) == [.shippedVersionChanged])
        // Of bundles that were renamed since, any could be the one.
        try shipped.move("M", to: "First")
        let error = #expect(throws: ModelError.self) { try self.listing(now, against: shipped.directory.path) }
        #expect(error?.description.contains("Other.xcdatamodeld") == true)
        try shipped.remove("Other")
        #expect(try listing(now, against: shipped.directory.path) == ["FM701 A"])
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

    /// A partial clone without its objects, whose configuration names programs wherever Git takes one.
    @Test func noProgramOfTheRepositoryIsRun() throws {
        let models = try repository()
        let folder = models.directory.path
        let marker = folder + "/marker"
        let program = folder + "/program.sh"
        try "#!/bin/sh\ntouch '\(marker)'\nexit 1\n".write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try "* filter=evil diff=evil\n".write(
            toFile: folder + "/.gitattributes", atomically: true, encoding: .utf8)
        for setting in [
            ("core.fsmonitor", program), ("core.sshCommand", program), ("core.gitProxy", program),
            ("core.pager", program), ("core.hooksPath", folder), ("filter.evil.smudge", program),
            ("filter.evil.clean", program), ("diff.evil.textconv", program), ("diff.external", program),
            ("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "origin"),
            ("remote.origin.url", "ssh://nowhere.invalid/models"), ("remote.origin.promisor", "true"),
            ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"), ("remote.origin.uploadpack", program),
            ("protocol.allow", "always"), ("protocol.ssh.allow", "always"), ("credential.helper", "!\(program)"),
        ] {
            try git(["config", setting.0, setting.1], in: folder)
        }
        func expectNothingRun() { #expect(!FileManager.default.fileExists(atPath: marker)) }
        #expect(try GitSnapshot(of: models.bundle, revision: "v1").path != nil)
        expectNothingRun()
        // Without a blob Git would fetch it.
        let blob = try ToolProcess.run(
            "/usr/bin/env", ["git", "-C", folder, "ls-tree", "-r", "--object-only", "v1"])
        let id = try #require(blob.output.split(separator: "\n").first)
        try FileManager.default.removeItem(atPath: "\(folder)/.git/objects/\(id.prefix(2))/\(id.dropFirst(2))")
        #expect(throws: GitError.self) { try GitSnapshot(of: models.bundle, revision: "v1") }
        expectNothingRun()
    }

    @Test func modelsThatWereMovedSinceAreFoundWhereTheyWere() throws {
        let models = try repository()
        try git(["add", "-A"], in: models.directory.path)
        try git(["mv", "app/möd els", "Sources"], in: models.directory.path)
        let moved = models.directory.file("Sources/M.xcdatamodeld")
        let snapshot = try GitSnapshot(of: moved, revision: "v1")
        #expect(snapshot.formerPath == "app/möd els/M.xcdatamodeld")
        let found = try ModelLinter.findings(
            in: ModelVersions(path: moved), against: ModelVersions(path: #require(snapshot.path)), label: "v1")
        #expect(found.map(\.code) == [.shippedVersionChanged])
        // Renamed as well: what is in the files tells.
        try git(["mv", "Sources/M.xcdatamodeld", "Sources/N.xcdatamodeld"], in: models.directory.path)
        let renamed = try GitSnapshot(of: models.directory.file("Sources/N.xcdatamodeld"), revision: "v1")
        #expect(renamed.formerPath == "app/möd els/M.xcdatamodeld")
    }

    @Test func whereModelsWereBeforeIsNotGuessed() throws {
        let models = try repository()
        let folder = models.directory.path
        try FileManager.default.removeItem(atPath: models.bundle)
        let other = models.directory.file("Other.xcdatamodeld/Third.xcdatamodel")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try "<model/>".write(toFile: other + "/contents", atomically: true, encoding: .utf8)
        let error = #expect(throws: GitError.self) {
            try GitSnapshot(of: folder + "/Other.xcdatamodeld", revision: "v1")
        }
        #expect(error?.description.contains("M.xcdatamodeld/One.xcdatamodel") == true)
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
            #expect(error.description.contains("is not in a Git repository"), "\(error)")
        }
    }

    @Test func aRepositoryThatGitRefusesIsNotCalledNone() throws {
        let models = try repository()
        try "[core".write(
            toFile: models.directory.path + "/.git/config", atomically: true, encoding: .utf8)
        let error = #expect(throws: GitError.self) { try GitSnapshot(of: models.bundle, revision: "v1") }
        #expect(error?.description.hasPrefix("git failed: fatal: bad config line ") == true, "\(error)")
        #expect(error?.description.contains("\n") == false)
    }
}
