import Foundation
import PersistentStores
import StoreImport
import TestSupport
import Testing

extension ImportFixture {
    /// Imports the shards of an import, and makes a store of their spools, which come in another order.
    ///
    /// - Parameters:
    ///   - count: how many shards.
    ///   - spooling: the options of the shards; nil for those of the store.
    func run(
        inShards count: Int, _ sources: [String], _ plan: ImportRun.Plan, spooling: ImportOptions? = nil,
        options: ImportOptions
    ) throws -> ImportReport {
        let folders = try (1...count).map { number in
            let folder = directory.file("spool\(number)")
            let shard = try #require(ImportShard(number, of: count))
            _ = try ImportRun(target: target, sources: sources, plan: plan, options: spooling ?? options)
                .spool(to: folder, shard)
            return folder
        }
        defer { for folder in folders { try? FileManager.default.removeItem(atPath: folder) } }
        return try ImportSpools(folders.reversed()).assemble(
            into: store, uuid: target.newStore.metadata.uuid, options: options)
    }

    /// Imports at once and in shards, and expects the same file of both.
    ///
    /// - Returns: the reports of both.
    func checkShards(
        _ count: Int, _ sources: [String], _ plan: ImportRun.Plan, options: ImportOptions, _ context: String
    ) throws -> (whole: ImportReport, shards: ImportReport) {
        let report = try run(sources, plan, options: options)
        let whole = try Data(contentsOf: URL(fileURLWithPath: store))
        try FileManager.default.removeItem(atPath: store)
        let other = try run(inShards: count, sources, plan, options: options)
        let parts = try Data(contentsOf: URL(fileURLWithPath: store))
        #expect(parts == whole, "\(context)")
        #expect(other.rejected == report.rejected, "\(context)")
        return (report, other)
    }
}
