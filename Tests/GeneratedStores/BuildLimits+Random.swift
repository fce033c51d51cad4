public import SQLiteFileBuilder
public import TestSupport

extension BuildLimits {
    /// Limits of one size, or of random small sizes.
    public init(_ size: Int?, _ random: inout RandomNumbers) {
        self.init()
        sortMemory = random.limit(size) * (Bool.random(using: &random) ? 1 : 100)
        integerRun = random.limit(size)
        integerBlock = random.limit(size)
        integersPerWrite = random.limit(size)
        mergedIntegerRuns = random.limit(size)
        integerPiece = random.limit(size)
        mergedBlock = random.limit(size)
        circulatingBlocks = random.limit(size)
        keptRowBytes = random.limit(size)
        recordsPerWrite = random.limit(size)
        mergedRecordRuns = random.limit(size)
        recordPiece = random.limit(size)
        pagesPerWrite = random.limit(size) * 512
        waitingWrites = random.limit(size)
        mapPages = random.limit(size)
        rankedKeys = random.limit(size)
        rankBlocks = random.limit(size)
    }
}
