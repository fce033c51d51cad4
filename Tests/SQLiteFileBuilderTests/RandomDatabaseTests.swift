import Foundation
import GeneratedStores
import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing

/// Databases that are made up, written by SQLite and by the builder.
@Suite struct RandomDatabaseTests {
    /// Seconds for which more of them are tried: FERRY_BUILDER_SECONDS; FERRY_BUILDER_SEED is the first seed.
    private static let seconds = TestSettings.value("FERRY_BUILDER_SECONDS").flatMap(Double.init)
    private static let firstSeed =
        UInt64(TestSettings.number("FERRY_BUILDER_SEED", default: 1000))

    @Test(.long, arguments: UInt64(1)...16)
    func bothWritersMakeTheSameDatabase(_ seed: UInt64) throws {
        var database = RandomDatabase(seed: seed, budget: 300_000)
        try database.make().compare(in: TemporaryDirectory())
    }

    @Test(.long, arguments: UInt64(1)...8, [DatabaseFile.TextEncoding.utf16LittleEndian, .utf16BigEndian])
    func bothWritersMakeTheSameDatabaseInUTF16(_ seed: UInt64, _ encoding: DatabaseFile.TextEncoding) throws {
        var database = RandomDatabase(seed: seed &+ 40, budget: 100_000)
        var writers = database.make()
        writers.encoding = encoding
        try writers.compare(in: TemporaryDirectory())
    }

    @Test(arguments: RandomNumbers.limitSizes, UInt64(1)...4)
    func theDatabaseIsTheSameWithAllLimitsOfOneSize(_ size: Int, _ seed: UInt64) throws {
        try compare(seed: seed * 1000, size: size)
    }

    @Test(arguments: UInt64(1)...12)
    func theDatabaseIsTheSameWithLimitsOfSeveralSizes(_ seed: UInt64) throws {
        try compare(seed: seed + 100_000, size: nil)
    }

    private static let encodings: [DatabaseFile.TextEncoding] = [.utf8, .utf8, .utf16LittleEndian, .utf16BigEndian]

    private func compare(seed: UInt64, size: Int?) throws {
        var database = RandomDatabase(seed: seed, budget: 20_000)
        var random = RandomNumbers(seed: seed)
        var writers = database.make()
        writers.encoding = Self.encodings[Int(seed % 4)]
        writers.limits = BuildLimits(size, &random)
        try writers.compare(in: TemporaryDirectory(), worksOn: false)
    }

    @Test(.enabled(if: seconds != nil))
    func bothWritersMakeTheSameDatabaseForALongTime() throws {
        let end = Date().addingTimeInterval(Self.seconds ?? 0)
        var seed = Self.firstSeed
        while Date() < end {
            var database = RandomDatabase(seed: seed, budget: seed % 10 == 0 ? 20_000_000 : 2_000_000)
            var writers = database.make()
            writers.encoding = Self.encodings[Int(seed / 10 % 4)]
            do {
                try writers.compare(in: TemporaryDirectory())
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
            seed += 1
        }
        print("\(seed - Self.firstSeed) databases")
    }
}
