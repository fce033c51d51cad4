import Foundation
import Glibc
import PersistentStores
import TestSupport
import Testing

/// A file system of the network whose server goes away in the middle of a store: the store is a row and stays whole,
/// the others are done, and another run brings all to an end.
@Suite(.enabled(if: FaultLibrary.shared != nil, "needs a C compiler"))
struct LostServerFleetTests {
    @Test(.long, arguments: [ESTALE, EIO], [0, 1, 2, 3, 7, 30, 90])
    func aStoreOfALostServerIsARowAndStopsNothing(error: Int32, calls: Int) throws {
        let library = try #require(FaultLibrary.shared)
        let directory = try TemporaryDirectory()
        let original = try Samples.buildStore("Company", in: directory)
        let old = try StoreMetadata.read(storeAt: original).versionHashes
        var paths: [String] = []
        for number in 0..<3 {
            let folder = FileSystem.resolvingLinks(directory.path) + "/stores/\(number)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try StoreFiles(original).copy(to: StoreFiles(folder + "/Company.sqlite"))
            paths.append(folder + "/Company.sqlite")
        }
        let manifest = directory.file("fleet")
        let plan = try ToolProcess.ferry(
            ["fleet", "plan", "--models", Samples.models("Company"), "-o", manifest, directory.file("stores")])
        #expect(plan.status == 0, "\(plan.summary)")
        let faults = library.server(
            of: FileSystem.directory(of: paths[1]), isGoneAfter: calls, error: error)
        let run = try ToolProcess.ferry(["fleet", "run", manifest, "--shard", "1/1"], environment: faults)
        // A server that is gone may come back; a device that fails does not get better.
        #expect(run.status == (error == ESTALE ? 3 : 0), "\(run.summary)")
        let status = try ToolProcess.ferry(["fleet", "status", manifest])
        #expect(status.output.contains("failed, unreachable: 1") == (error == ESTALE), "\(status.summary)")
        #expect(status.output.contains("2 done, 1 failed, 0 pending"), "\(status.summary) \(run.summary)")
        for number in [0, 2] { #expect(try StoreMetadata.read(storeAt: paths[number]).versionHashes != old) }
        // It is the old one or the new one, whole.
        let check = try ToolProcess.ferry(["verify", paths[1], "--models", Samples.models("Company")])
        #expect(check.status == 0, "\(check.summary)")
        let again = try ToolProcess.ferry(["fleet", "run", manifest, "--shard", "1/1", "--retry-failed"])
        #expect(again.status == 0 && again.output.contains("3 done, 0 failed"), "\(again.summary)")
        for path in paths { #expect(try StoreMetadata.read(storeAt: path).versionHashes != old) }
        // What the first run could not remove is gone.
        #expect(
            try FileSystem.names(in: FileSystem.directory(of: paths[1])).allSatisfy { !$0.contains("ferry-staging") })
    }
}
