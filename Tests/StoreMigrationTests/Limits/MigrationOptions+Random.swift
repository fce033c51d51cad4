import ExternalPrograms
import GeneratedStores
import PersistentStores
import SQLiteFileBuilder
import TestSupport

@testable import StoreMigration

extension MigrationOptions {
    /// Options with limits of one size, or of random small sizes.
    static func limited(_ size: Int?, _ random: inout RandomNumbers) -> MigrationOptions {
        // Some batches take all, so that the limits inside are crossed in the middle of one.
        var batch = BatchLimits(rows: Bool.random(using: &random) ? random.limit(size) : 1000)
        if Int.random(in: 0..<4, using: &random) == 0 { batch.bytes = random.limit(size) * 20 }
        var options = MigrationOptions(limits: batch)
        options.readers = random.limit(size)
        options.writer = Bool.random(using: &random) ? .auto : .sqlite
        var limits = MigrationLimits()
        limits.block = BatchLimits(rows: random.limit(size), bytes: Bool.random(using: &random) ? 1 << 20 : 50)
        limits.circulatingBlocks = random.limit(size)
        limits.windowsWorthThreads = Int64(random.limit(size))
        limits.keysPerRow = Int64(random.limit(size))
        limits.newPages = random.limit(size)
        limits.changedPages = random.limit(size)
        limits.knownKeys = random.limit(size)
        limits.knownKeyBytes = random.limit(size) * 20
        limits.build = BuildLimits(size, &random)
        limits.policyBatch = BatchLimits(
            rows: random.limit(size), bytes: Bool.random(using: &random) ? 1 << 20 : random.limit(size) * 50)
        limits.policyWindow = random.limit(size)
        limits.answers.piece = random.limit(size)
        limits.pairsPerStatement = random.limit(size)
        limits.madeKeyRuns = random.limit(size)
        options.fixedLimits = limits
        return options
    }
}
