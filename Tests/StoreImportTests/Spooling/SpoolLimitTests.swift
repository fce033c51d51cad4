import Foundation
import ImportTestSupport
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// What a spool keeps in one piece, and into how many parts an import is divided.
@Suite struct SpoolLimitTests {
    @Test(arguments: [1, 2, 3, 7, 64]) func blocksHaveALargestSizeForBothSides(size: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.ferryspool")
        var limits = SpoolLimits()
        limits.blockContent = size
        var writer = try SpoolWriter(path, replacing: false, limits: limits)
        try writer.append(.batch, [UInt8](repeating: 5, count: size))
        #expect(throws: SpoolError.blockTooLarge(path, limit: size)) {
            try writer.append(.batch, [UInt8](repeating: 5, count: size + 1))
        }
        try writer.finish([])
        let reader = try SpoolReader(path, limits: limits)
        #expect(try reader.next()?.content.count == size)
        #expect(try reader.next()?.kind == .ending)
        limits.blockContent = size - 1
        #expect(throws: SpoolError.self) { try SpoolReader(path, limits: limits).next() }
    }

    private static let mapping = """
        import: 1
        files: '*.csv'
        entity: Person
        key: number
        attributes: [number, name]
        """

    private func spool(_ fixture: ImportFixture, _ source: String, _ limits: SpoolLimits) throws -> String {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 7))
        options.fixedLimits.spools = limits
        let shard = try #require(ImportShard(1, of: 1))
        return try ImportRun(
            target: fixture.target, sources: [source], plan: .mapping(try ImportMapping(yaml: Self.mapping)),
            options: options
        ).spool(to: fixture.directory.file("spools"), shard).path
    }

    @Test func aBatchThatIsTooLargeLeavesTheSpoolAsItWas() throws {
        let fixture = try ImportFixture(entities: ShardScenario.entities)
        let rows = (0..<30).map { "\($0),name \($0)\n" }.joined()
        let large = String(repeating: "x", count: 90_000)
        let source = try fixture.write("number,name\n" + rows + "99,\(large)\n", as: "p.csv")
        let path = try spool(fixture, source, SpoolLimits())
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        let reader = try SpoolReader(path)
        var sizes: [Int] = []
        while let block = try reader.next() { sizes.append(block.content.count) }
        var limits = SpoolLimits()
        limits.blockContent = try #require(sizes.max())
        // What is written at a time changes nothing, either.
        for bytes in [1, 2, 3, 7, 1 << 20] {
            limits.writtenBytes = bytes
            limits.copiedBytes = bytes
            #expect(try Data(contentsOf: URL(fileURLWithPath: spool(fixture, source, limits))) == good)
        }
        limits.blockContent -= 1
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.file("spools"))
        #expect(throws: SpoolError.blockTooLarge(path, limit: limits.blockContent)) {
            try spool(fixture, source, limits)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == good)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.file("spools")) == names)
    }

    @Test func anImportIsDividedIntoAMillionShardsAtMost() throws {
        #expect(ImportShard(0, of: 1) == nil && ImportShard(2, of: 1) == nil && ImportShard(1, of: 0) == nil)
        #expect(ImportShard(1, of: 1_000_001) == nil && ImportShard(1, of: .max) == nil)
        for total in [0, 1, 999_999, 1_000_000, 1_000_001, .max] {
            var end = 0
            for number in [1, 2, 3, 7, 1000, 999_999, 1_000_000] {
                let share = try #require(ImportShard(number, of: 1_000_000)).share(of: total)
                #expect(share.lowerBound >= end && share.upperBound <= total)
                #expect(abs(share.count - total / 1_000_000) <= 1)
                end = share.upperBound
            }
            #expect(end == total)
        }
    }
}
