import Foundation
import PersistentStores
import TestSupport
import Testing

/// The files that commands write for their user: whole or not there, and never over what is there without `--force`.
@Suite final class SafetyOutputTests: CompanyStoreSuite {
    /// The words of a command up to the path of the file that it writes.
    private func words(_ name: String) throws -> [String] {
        let new = directory.file("New-\(name)")
        let versions = ["--from", "Company", "--to", "Company 2"]
        switch name {
        case "infer": return ["infer"] + models + versions + ["--output"]
        case "mapping convert":
            let mapping = directory.file("mapping.yaml")
            if !FileSystem.exists(mapping) {
                let made = try ToolProcess.ferry(["infer"] + models + versions + ["--output", mapping])
                #expect(made.status < 2, "\(made.summary)")
            }
            return ["mapping", "convert", mapping] + models + versions + ["--form", "cdm", "--output"]
        case "lint": return ["lint", models[1], "--output"]
        case "diagram": return ["diagram", models[1], "--output"]
        case "export": return ["export", store] + models + ["--entity", "Department", "--output"]
        case "export mapping":
            return ["export", store] + models
                + ["--entity", "Department", "--force", "--output", new, "--write-mapping"]
        case "export rejects":
            return ["export", store] + models + ["--entity", "Department", "--force", "--output", new, "--rejects"]
        case "migrate": return ["migrate", store] + models + ["--output", new, "--report"]
        case "convert": return ["convert", store] + models + ["--output", new, "--report"]
        default: return ["convert", store] + models + ["--output", new, "--id-map"]
        }
    }

    @Test(arguments: [
        "infer", "mapping convert", "lint", "diagram", "export", "migrate", "convert", "id map",
    ])
    func whatIsThereStaysUnlessAsked(_ name: String) throws {
        let words = try words(name)
        let path = try directory.write("mine, edited by hand", to: "output")
        let before = try FolderState(of: directory.path)
        let refused = try ToolProcess.ferry(words + [path])
        #expect(refused.status == 2, "\(refused.summary)")
        #expect(refused.errors.contains("output: it exists already"), "\(refused.summary)")
        #expect(refused.errors.contains("--force"), "\(refused.summary)")
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
        let forced = try ToolProcess.ferry(words + [path, "--force"])
        #expect(forced.status < 2, "\(forced.summary)")
        #expect(try FolderState(of: directory.path).bytes(of: "output") != before.bytes(of: "output"))
        #expect(try FileSystem.names(in: directory.path).filter { $0.contains("staging") } == [])
    }

    @Test(arguments: ["export mapping", "export rejects"])
    func filesBesideAnExportStayTooAndWithThemTheExport(_ name: String) throws {
        let words = try words(name).filter { $0 != "--force" }
        let path = try directory.write("mine, edited by hand", to: "output")
        let before = try FolderState(of: directory.path)
        let refused = try ToolProcess.ferry(words + [path])
        #expect(refused.status == 2, "\(refused.summary)")
        #expect(refused.errors.contains("output: it exists already"), "\(refused.summary)")
        #expect(try FolderState(of: directory.path).byteDifferences(from: before) == [])
    }

    /// Somebody who may write to the folder has put something where the file is made.
    @Test(arguments: ["link", "hard link", "pipe", "folder"])
    func whatLiesWhereAFileIsMadeIsNotWrittenTo(_ kind: String) throws {
        let secret = try directory.write("secret", to: "secret")
        let output = directory.file("out.csv")
        let staging = directory.file(".out.csv.ferry-staging")
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: staging, withDestinationPath: secret)
        case "hard link": try FileManager.default.linkItem(atPath: secret, toPath: staging)
        case "pipe": #expect(mkfifo(staging, 0o600) == 0)
        default:
            try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
            try FileManager.default.linkItem(atPath: secret, toPath: staging + "/content")
        }
        let process = try ToolProcess(
            ToolProcess.ferry, ["export", store] + models + ["--entity", "Department", "--output", output])
        process.wait(atMost: .seconds(60))
        #expect(!process.isRunning)
        let run = process.wait()
        #expect(run.status == (kind == "link" ? 2 : 0), "\(run.summary)")
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "secret")
        #expect(FileSystem.exists(output) == (kind != "link"))
    }

    @Test func twoExportsDoNotMakeTheSameFile() throws {
        let output = directory.file("out.csv")
        let other = try StagedOutput(for: output, replacing: false)
        try other.write(Array("half".utf8))
        let words = ["export", store] + models + ["--entity", "Department", "--output", output]
        let busy = try ToolProcess.ferry(words)
        #expect(busy.status == 3, "\(busy.summary)")
        try other.write(Array(" and half".utf8))
        try other.finish()
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "half and half")
        #expect(try ToolProcess.ferry(words).status == 2)
    }

    /// Where one of several files cannot be written none is there, and the next run goes through.
    @Test(.enabled(if: MountedFolder.isPossible), arguments: [false, true])
    func ofSeveralFilesAllAreThereOrNone(isFolderThere: Bool) throws {
        let mounted = try MountedFolder(kilobytes: 512)
        let folder = mounted.file("exported")
        if isFolderThere { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
        let kept = isFolderThere ? folder + "/kept.txt" : mounted.file("kept.txt")
        try Data("kept".utf8).write(to: URL(fileURLWithPath: kept))
        try mounted.fill(leaving: 12_000)
        let before = try FolderState(of: mounted.path).names
        let words = ["export", store] + models + ["--all", "--output", folder]
        let full = try ToolProcess.ferry(words)
        #expect(full.status == 3, "\(full.summary)")
        #expect(try FolderState(of: mounted.path).names == before)
        try FileManager.default.removeItem(atPath: mounted.file("filler"))
        let again = try ToolProcess.ferry(words)
        #expect(again.status < 2, "\(again.summary)")
        #expect(try FileSystem.names(in: folder).filter { $0.hasSuffix(".csv") }.count > 3)
    }

    /// A killed run leaves a hidden folder, which the next one removes.
    @Test func whatAKilledExportHasLeftGoes() throws {
        let folder = directory.file("exported")
        let left = directory.file(".exported.ferry-staging/content")
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: URL(fileURLWithPath: left + "/Person.csv"))
        let run = try ToolProcess.ferry(["export", store] + models + ["--all", "--output", folder])
        #expect(run.status < 2, "\(run.summary)")
        #expect(try FileSystem.names(in: directory.path).filter { $0.contains("staging") } == [])
    }
}
