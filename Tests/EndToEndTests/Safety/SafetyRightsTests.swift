import Foundation
import PersistentStores
import TestSupport
import Testing

/// What lies beside a store is nobody's business whose business the store is not.
@Suite struct SafetyRightsTests {
    private let directory: TemporaryDirectory
    private let store: String

    init() throws {
        directory = try TemporaryDirectory()
        store = try Samples.buildStore("Recipes", in: directory)
        let files = StoreFiles(store)
        chmod(store, 0o600)
        for folder in [files.supportDirectory, files.externalDataDirectory] { chmod(folder, 0o700) }
        for name in try FileSystem.names(in: files.externalDataDirectory) {
            let path = files.externalDataDirectory + "/" + name
            // Smaller values are not files after a conversion.
            try Data(repeating: 7, count: 200_000).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
        }
        guard getuid() == 0 else { return }
        for name in try FolderState(of: directory.path).names { chown(directory.file(name), 1234, 2345) }
    }

    /// What is wrong with owner, group and permissions of a store and its external data.
    private func faults(_ path: String) throws -> [String] {
        let files = StoreFiles(path)
        var paths = [path: mode_t(0o600)]
        for folder in [files.supportDirectory, files.externalDataDirectory] { paths[folder] = 0o700 }
        let names = try FileSystem.names(in: files.externalDataDirectory)
        #expect(!names.isEmpty)
        for name in names { paths[files.externalDataDirectory + "/" + name] = 0o600 }
        return paths.compactMap { path, permissions in
            var status = stat()
            guard stat(path, &status) == 0 else { return "\(path) is missing" }
            let isOwned = getuid() != 0 || (status.st_uid, status.st_gid) == (1234, 2345)
            return status.st_mode & 0o777 == permissions && isOwned
                ? nil : "\(path): \(String(status.st_mode & 0o777, radix: 8)) \(status.st_uid)"
        }
    }

    @Test(arguments: ["copy", "move", "migrate", "convert", "new keys"])
    func externalDataAreWhoseTheStoreIs(_ command: String) throws {
        let new = directory.file("New.sqlite")
        let models = ["--models", Samples.models("Recipes")]
        let words: [String]
        switch command {
        case "migrate": words = ["migrate", store, "--output", new] + models
        case "convert": words = ["convert", store, "--keep-ids", "--output", new] + models
        case "new keys": words = ["convert", store, "--output", new] + models
        default: words = [command, store, new]
        }
        let run = try ToolProcess.ferry(words)
        #expect(run.status < 2, "\(run.summary)")
        #expect(try faults(new) == [])
    }

    @Test(.enabled(if: MountedFolder.isPossible))
    func onAnotherFileSystemToo() throws {
        let mounted = try MountedFolder(kilobytes: 4096)
        let run = try ToolProcess.ferry(["move", store, mounted.file("New.sqlite")])
        #expect(run.status == 0, "\(run.summary)")
        #expect(try faults(mounted.file("New.sqlite")) == [])
    }

    @Test func aFixturesFilesHaveTheRightsOfTheStore() throws {
        let new = directory.file("Fixture.sqlite")
        let words = ["fixture", "--models", Samples.models("Recipes"), "--rows", "40", "--output", new]
        let run = try ToolProcess.run(
            "/bin/sh", ["-c", "umask 077; exec \"$@\"", "sh", ToolProcess.ferry] + words)
        #expect(run.status < 2, "\(run.summary)")
        let files = StoreFiles(new)
        var status = stat()
        #expect(stat(new, &status) == 0 && status.st_mode & 0o777 == 0o600)
        guard FileSystem.isDirectory(files.supportDirectory) else { return }
        #expect(stat(files.externalDataDirectory, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }
}
