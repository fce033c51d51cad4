import PersistentStores
@testable import StoreFleets
import TestSupport
import Testing

/// A report over the rows of made-up ledgers adds up to what plain lists do.
@Suite struct SimulatedFleetTests {
    private struct Row {
        let store: FleetStore
        let shard: Int
        let result: StoreResult
    }

    private static let stores = 300

    /// Stores of all sizes; one of seven fails, one of five fails for a reason that may pass, one of four is pending.
    private static func result(of store: FleetStore) -> StoreResult? {
        if store.number % 4 == 0 { return nil }
        var result = StoreResult()
        (result.versionBefore, result.versionAfter) = ("Old \(store.number % 3)", "New")
        result.bytesBefore = store.bytes
        result.objects = store.number * 3
        result.findings = [StoreFinding(severity: .warning, code: "code-\(store.number % 2)", count: store.number)]
        if store.number % 7 == 0 {
            result.failure = StoreFailure("damaged", "no. \(store.number)")
        } else if store.number % 5 == 0 {
            result.failure = StoreFailure("locked", "no. \(store.number)", isTemporary: true)
        }
        return result
    }

    @Test(arguments: [1, 2, 3, 7]) func theReportAddsUp(shards: Int) throws {
        let fleet = try FleetFolder(count: 0)
        var options = FleetFolder.options
        options.isRemote = true
        let planner = try FleetPlanner(options, shards: shards, to: fleet.manifest)
        for number in 0..<Self.stores { try planner.add("tenant/\(number)\t\(number * number * number)") }
        #expect(try planner.finish().stores == Int64(Self.stores))
        let rows = try simulate(FleetManifest(path: fleet.manifest), shards: shards)
        for limit in [1, 2, 3, 7, 1000] {
            var limits = FleetReader.Limits()
            (limits.examples, limits.stragglers, limits.intervals) = (limit, limit, limit)
            let report = try FleetReader(FleetManifest(path: fleet.manifest), limits: limits).report()
            check(report, rows, limit)
        }
    }

    /// Writes the ledgers of all shards. Returns the rows.
    private func simulate(_ manifest: FleetManifest, shards: Int) throws -> [Row] {
        try FileSystem.createDirectory(manifest.ledgerDirectory)
        var rows: [Row] = []
        for shard in 1...shards {
            let ledger = try ShardLedger(manifest, shard: shard, isLocked: true) { _ in .rollback }
            let cursor = try manifest.stores(of: shard)
            while let store = try cursor.next() {
                guard let result = Self.result(of: store) else { continue }
                try ledger.write(
                    LedgerRow(
                        result: result, store: store, seconds: Double(store.number),
                        finished: 1e9 + Double(store.number)))
                rows.append(Row(store: store, shard: shard, result: result))
            }
        }
        return rows
    }

    private func check(_ report: FleetReport, _ rows: [Row], _ limit: Int) {
        let (done, failed) = (rows.filter { $0.result.failure == nil }, rows.filter { $0.result.failure != nil })
        #expect(report.status.total == Int64(Self.stores) && report.status.done == Int64(done.count))
        #expect(report.status.failed == Int64(failed.count))
        #expect(report.status.pending == Int64(Self.stores - rows.count))
        #expect(report.bytes == rows.reduce(0) { $0 + $1.store.bytes })
        #expect(report.objects == rows.reduce(0) { $0 + $1.store.number * 3 })
        #expect(report.warnings == Int64(rows.count))
        #expect(report.secondsOfWork == Double(rows.reduce(0) { $0 + $1.store.number }))
        for finding in report.findings {
            let own = rows.filter { "code-\($0.store.number % 2)" == finding.code }
            #expect(finding.stores == Int64(own.count) && finding.count == own.reduce(0) { $0 + $1.store.number })
        }
        for reason in report.reasons {
            let own = failed.filter { $0.result.failure?.reason == reason.reason }
            #expect(reason.stores == Int64(own.count) && reason.examples.count == min(limit, own.count))
            #expect(Set(reason.examples).isSubset(of: own.map(\.store.path)))
        }
        #expect(report.reasons.count == 2 && report.findings.count == 2 && report.changes.count == 3)
        #expect(report.changes.map(\.stores).reduce(0, +) == Int64(done.count))
        for bins in [report.sizes, report.times] {
            #expect(bins.map(\.stores).reduce(0, +) == Int64(rows.count))
        }
        #expect(report.throughput.count <= limit)
        #expect(report.throughput.map(\.stores).reduce(0, +) == Int64(rows.count))
        #expect(report.throughput.map(\.bytes).reduce(0, +) == report.bytes)
        let slowest = rows.map { Double($0.store.number) }.sorted(by: >).prefix(limit)
        #expect(report.stragglers.map(\.seconds) == Array(slowest))
        let again = Dictionary(grouping: rows) { $0.shard }.mapValues {
            Int64($0.count { $0.result.failure?.isTemporary == true })
        }
        for shard in report.again { #expect(shard.temporary == again[shard.shard] ?? 0) }
    }
}
