import Foundation
import PersistentStores
import TestSupport
import Testing

/// A disk that is full in the middle of a shard: the stores stay as they are, and another run brings all to an end.
@Suite(.enabled(if: MountedFolder.isPossible, "only root can mount file systems"))
struct FullDiskFleetTests {
    @Test(arguments: [0, 40_000, 150_000]) func aShardGoesOnWhenThereIsRoomAgain(free: Int) throws {
        let directory = try TemporaryDirectory()
        let disk = try MountedFolder(kilobytes: 4000)
        let original = try Samples.buildStore("Company", in: directory)
        let old = try StoreMetadata.read(storeAt: original).versionHashes
        var paths: [String] = []
        for number in 0..<4 {
            let folder = disk.file("stores/\(number)")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try StoreFiles(original).copy(to: StoreFiles(folder + "/Company.sqlite"))
            paths.append(folder + "/Company.sqlite")
        }
        let manifest = disk.file("fleet")
        let plan = try ToolProcess.ferry(
            ["fleet", "plan", "--models", Samples.models("Company"), "-o", manifest, disk.file("stores")])
        #expect(plan.status == 0, "\(plan.summary)")
        try disk.fill(leaving: free)
        let full = try ToolProcess.ferry(["fleet", "run", manifest, "--shard", "1/1"])
        #expect(full.status == 3, "\(full.summary)")
        // Each is the old one or the new one, whole.
        for path in paths {
            let check = try ToolProcess.ferry(["verify", path, "--models", Samples.models("Company")])
            #expect(check.status == 0, "\(check.summary)")
        }
        try FileManager.default.removeItem(atPath: disk.file("filler"))
        let again = try ToolProcess.ferry(["fleet", "run", manifest, "--shard", "1/1"])
        #expect(again.status == 0 && again.output.contains("4 done, 0 failed"), "\(again.summary)")
        for path in paths { #expect(try StoreMetadata.read(storeAt: path).versionHashes != old) }
    }
}
